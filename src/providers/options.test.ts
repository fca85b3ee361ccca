// How the options of a session become arguments, and which of several counts.
import { expect, test } from 'vitest';
import { noOptions, type Options } from '../domain/core/options.ts';
import type { Session } from '../domain/core/session.ts';
import type { Setup } from '../ports/provider.ts';
import { claudeOptions } from './claude/options.ts';
import { card as codex } from './codex/card.ts';
import { commonOptions, permissionModes, terminalOptions } from './codex/options.ts';

const setup = { args: ['--from-config'], defaultModel: 'usual' } as unknown as Setup;
const session = (model: string | null, options: Partial<Options> = {}) =>
  ({ model, options: { ...noOptions, ...options } }) as Session;
const all = { addDirs: ['/a', '/b'], mcpConfigs: ['/m.json'], args: ['--user', 'x'] };

test('Claude Code: what the user wrote himself comes last, and so counts', () => {
  expect(claudeOptions(session('big', { ...all, permissionMode: 'plan' }), setup)).toEqual([
    ...['--from-config', '--model', 'big', '--permission-mode', 'plan'],
    ...['--add-dir', '/a', '--add-dir', '/b', '--mcp-config', '/m.json', '--user', 'x'],
  ]);
  expect(claudeOptions(session(null), setup)).toEqual(['--from-config', '--model', 'usual']);
});

test('Codex: a permission mode is a sandbox and an approval policy, in a terminal and without one', () => {
  const given = session(null, { ...all, permissionMode: 'full-access' });
  const common = [
    ...['--from-config', '-c', 'sandbox_mode="danger-full-access"', '-c', 'approval_policy="never"'],
    ...['--user', 'x'],
  ];
  expect(commonOptions(given, setup)).toEqual(common);
  expect(terminalOptions(given, setup)).toEqual([
    ...['--add-dir', '/a', '--add-dir', '/b', '--model', 'usual'],
    ...common,
  ]);
});

test('Codex: every mode that is declared is known', () => {
  expect(Object.keys(permissionModes)).toEqual(codex.options.permissionModes);
});

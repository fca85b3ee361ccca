import { expect, it } from 'vitest';
import { callIn } from './questions.ts';

const command = (text: string, more: object = {}) =>
  callIn(
    { method: 'item/commandExecution/requestApproval', params: { command: text, cwd: '/repo', ...more } },
    [],
  );
const change = (files: string[], more: Record<string, unknown> = {}) =>
  callIn({ method: 'item/fileChange/requestApproval', params: more }, files);

it.each([
  ["/bin/bash -c 'touch a'", 'touch a'],
  ["/bin/zsh -lc 'git status; rm x'", 'git status; rm x'],
  ['bash -lc ls', 'ls'],
  // What cannot be read surely stays as it is, and no allow covers it.
  [`bash -c 'it'"'"'s $x'`, `it's $x`],
  ['bash -c "echo $HOME"', 'bash -c "echo $HOME"'],
  ["bash -c 'a\nb'", "bash -c 'a\nb'"],
  ['bash -x -c ls', 'bash -x -c ls'],
  ['git status', 'git status'],
])('%j asks for %j', (asked, meant) => {
  expect(command(asked)).toEqual({ tool: 'Bash', does: { is: 'command', command: meant }, cwd: '/repo' });
});

it('a change of files asks for all of them', () => {
  expect(change(['/a', '/b'])?.does).toEqual({ is: 'edit', paths: ['/a', '/b'] });
});

it('what asks for more than that is left to the human', () => {
  expect(command('ls', { networkApprovalContext: { host: 'example.com' } })).toBeNull();
  expect(change(['/a'], { grantRoot: '/' })).toBeNull();
  expect(callIn({ method: 'item/tool/requestUserInput', params: {} }, [])).toBeNull();
});

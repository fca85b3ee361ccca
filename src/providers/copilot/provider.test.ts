// How Copilot is started, and what it keeps: its conversations, and which of them are open.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noOptions, type Options } from '../../domain/core/options.ts';
import type { Session } from '../../domain/core/session.ts';
import type { Setup } from '../../ports/provider.ts';
import { card } from './card.ts';
import { openConversations } from './conversations.ts';
import { copilotHistory } from './history.ts';
import { copilotOptions, permissionModes } from './options.ts';
import { provide } from './provider.ts';

const setup = {
  ...{ command: 'copilot', args: ['--from-config'], env: {}, defaultModel: 'usual', hooksDir: '/sm/hooks' },
} as unknown as Setup;
const session = (model: string | null, options: Partial<Options> = {}) =>
  ({ model, options: { ...noOptions, ...options } }) as Session;

describe('a start of Copilot', () => {
  it('names the conversation, brings our hooks, and keeps our environment for its commands', async () => {
    const env = { HOME: '/home/user', PATH: '/bin' };
    const request = { providerId: 'c1', resume: false, env, own: { SM_HOME: '/sm' } };
    const plan = await provide(setup, card).plan(session(null), request);
    expect(plan).toEqual({
      argv: [
        ...['copilot', '--from-config', '--model', 'usual'],
        ...['--plugin-dir', '/sm/hooks/copilot', '--session-id=c1'],
      ],
      env: { ...env, SM_HOME: '/sm', COPILOT_DISABLE_LOGIN_SHELL_ENV: '1' },
      conversationsIn: '/home/user/.copilot/session-state',
    });
    await expect(
      provide(setup, card).plan(session(null), { ...request, providerId: null }),
    ).rejects.toThrow();
  });

  it('what the user wrote himself comes last, and so counts', () => {
    const all = { addDirs: ['/a', '/b'], mcpConfigs: ['/m.json'], args: ['--user', 'x'] };
    expect(copilotOptions(session('big', { ...all, permissionMode: 'allow-all' }), setup)).toEqual([
      ...['--from-config', '--model', 'big', '--allow-all', '--add-dir', '/a', '--add-dir', '/b'],
      ...['--additional-mcp-config', '@/m.json', '--user', 'x'],
    ]);
  });

  it('every mode that is declared is known', () => {
    expect(Object.keys(permissionModes)).toEqual(card.options.permissionModes);
  });
});

describe('the record of Copilot', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sm-copilot-record-'));
  });
  const open: number[] = [];
  const hold = (folder: string) => open.push(openSync(join(folder, `inuse.${process.pid}.hold`), 'w'));
  afterEach(() => {
    for (const file of open.splice(0)) closeSync(file);
    rmSync(root, { recursive: true });
  });

  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const history = () => copilotHistory({ COPILOT_HOME: root });
  const begun = (cwd: string) => ({ type: 'session.start', data: { context: { cwd } } });
  const prompt = (content: string) => ({ type: 'user.message', data: { content, messageId: 'm' } });

  function folderOf(n: number, seconds?: number, ...lines: object[]): string {
    const folder = join(root, 'session-state', id(n));
    mkdirSync(folder, { recursive: true });
    if (seconds === undefined) return folder;
    const file = join(folder, 'events.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    utimesSync(file, seconds, seconds);
    return folder;
  }

  it('is read by its beginning, the newest first', async () => {
    folderOf(1, 10, begun('/shop'), prompt('fix the login'), prompt('more'));
    folderOf(2, 20, begun('/api'), prompt('[sm] from lead (abcd1234) #m1:\nlook at it'));
    folderOf(3, 5, begun('/api'));
    folderOf(4);
    mkdirSync(join(root, 'session-state/.session-operation-locks'));
    const files = await history().files({});
    expect(
      await Promise.all(files.map(async (file) => [file.providerId, await history().head(file)])),
    ).toEqual([
      [id(2), { workingDir: '/api', firstWords: 'look at it' }],
      [id(1), { workingDir: '/shop', firstWords: 'fix the login' }],
      [id(3), null],
    ]);
  });

  it('may be missing', async () => {
    expect([await history().files({}), await history().open({})]).toEqual([[], []]);
  });

  it.runIf(process.platform === 'linux')('names the conversations that a process holds open', async () => {
    const { pid } = process;
    // Left behind by a process that was killed, and that had the same number.
    writeFileSync(join(folderOf(1), `inuse.${pid}.hold`), '');
    const held = folderOf(2, 1, begun('/shop'));
    hold(held);
    expect(await history().open({})).toEqual([{ providerId: id(2), pid, startedAt: null }]);
    expect(await openConversations(pid)).toEqual({
      ...{ open: [{ providerId: id(2), transcriptPath: join(held, 'events.jsonl') }], folder: held },
    });
    // In the moment of a clear: the next one, in which nothing has been said yet.
    const next = folderOf(3);
    hold(next);
    expect(await openConversations(pid)).toEqual({
      open: [
        { providerId: id(2), transcriptPath: join(held, 'events.jsonl') },
        { providerId: id(3), transcriptPath: null },
      ],
      folder: next,
    });
  });
});

// The commands that stand in the user's own settings, run by real shells against a stand-in for the daemon.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedHooks, installedStatusLine } from '../../src/providers/claude/installed.ts';
import { createStandIn, hooksDir, run, type StandIn, sessionId } from './stand-in.ts';

const silent = { code: 0, stdout: '', stderr: '' };
const stop = '{"hook_event_name":"Stop"}';
const ours = { CLAUDE_SESSION_MANAGER_ID: sessionId };
/** Sessions that are not to be reported by what is installed. */
const others = [
  ['that is not ours', {}],
  ['that has hooks of its own', { ...ours, SM_SESSION_HOOKS: '1' }],
] as const;

let daemon: StandIn;
let programs: string;
beforeEach(() => {
  daemon = createStandIn();
  programs = join(daemon.home, 'hooks');
  cpSync(hooksDir, programs, { recursive: true });
});
afterEach(() => daemon.close());

const hookOf = (event: string) => installedHooks(programs, 5).get(event)?.hooks[0].command as string;

describe.each([[['sh']], [['dash']], [['bash', '--posix']]])('under %s, an installed hook', (shell) => {
  const runInstalled = (command: string, input: string, env: Record<string, string>) =>
    run([...shell, '-c', command], input, { HOME: daemon.home, ...env });

  it('tells a fact of a session of ours, to the daemon of its own state directory', async () => {
    await daemon.listen();
    expect(await runInstalled(hookOf('Stop'), stop, ours)).toMatchObject(silent);
    expect(daemon.posted.map(({ body }) => body.trim())).toEqual([stop]);
    expect(daemon.posted[0]?.headers).toMatchObject({ 'x-sm-session': sessionId, 'x-sm-kind': 'hook' });
  });

  it('goes to the state directory that the session says', async () => {
    const other = createStandIn();
    await other.listen();
    await runInstalled(hookOf('Stop'), stop, { ...ours, SM_HOME: other.home });
    expect(other.posted).toHaveLength(1);
    await other.close();
  });

  it.each(others)('leaves at once in a session %s', async (_, env) => {
    await daemon.listen();
    for (const event of ['Stop', 'PermissionRequest', 'PreToolUse'])
      expect(await runInstalled(hookOf(event), stop, env)).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
    expect(daemon.spooled()).toEqual([]);
  });

  it('never fails, also when its program is gone', async () => {
    rmSync(programs, { recursive: true });
    expect(await runInstalled(hookOf('UserPromptSubmit'), stop, ours)).toMatchObject(silent);
    expect(await runInstalled(installedStatusLine(programs, null), '{}', ours)).toMatchObject(silent);
    expect(await runInstalled(installedStatusLine(programs, 'echo mine'), '{}', ours)).toMatchObject({
      ...silent,
      stdout: 'mine\n',
    });
  });

  it('brings an answer to a question', async () => {
    await daemon.listen({ status: 204 }, { status: 200, answer: '{"yes":1}' });
    expect(await runInstalled(hookOf('PermissionRequest'), '{}', ours)).toMatchObject({
      ...silent,
      stdout: '{"yes":1}\n',
    });
  });

  it('spools while the daemon is away', async () => {
    expect(await runInstalled(hookOf('Stop'), stop, ours)).toMatchObject(silent);
    expect(daemon.spooled()).toHaveLength(1);
  });

  describe('that draws the status line', () => {
    const figures = '{"context_window":{"used_percentage":8}}';
    const own = `x=$(cat); printf '%s' "it's $x" # "$1`;

    it("shows the user's own in every session, and tells the figures of ours", async () => {
      await daemon.listen({ status: 200, answer: 'sm says' });
      const line = installedStatusLine(programs, own);
      for (const env of [ours, ...others.map(([, each]) => each)])
        expect(await runInstalled(line, figures, env)).toMatchObject({
          ...silent,
          stdout: `it's ${figures}`,
        });
      expect(daemon.posted.map(({ body }) => body.trim())).toEqual([figures]);
    });

    it('shows what the daemon says where the user has none, and nothing in sessions that are not ours', async () => {
      await daemon.listen({ status: 200, answer: 'sm says' });
      const line = installedStatusLine(programs, null);
      expect(await runInstalled(line, figures, ours)).toMatchObject({ ...silent, stdout: 'sm says\n' });
      for (const [, env] of others) expect(await runInstalled(line, figures, env)).toMatchObject(silent);
    });
  });
});

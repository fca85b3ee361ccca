// The hook program before a call of a tool, run by real shells against a stand-in for the daemon.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStandIn, runHook, type StandIn, sessionId } from './stand-in.ts';

const silent = { code: 0, stdout: '', stderr: '' };
const edit = `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"new_string":"$(x) \\\\ \`y\`"}}`;
const deny = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"lead’s"}}';

let daemon: StandIn;
beforeEach(() => {
  daemon = createStandIn();
});
afterEach(() => daemon.close());

const ask = (more: object = {}) => runHook(daemon, edit, { program: 'tool.sh', ...more });

describe.each([[['sh']], [['dash']], [['bash', '--posix']]])('an edit, under %s', (shell) => {
  it('is asked about, and what the daemon says is printed', async () => {
    await daemon.listen({ status: 200, answer: deny });
    expect(await ask({ shell })).toMatchObject({ ...silent, stdout: `${deny}\n` });
    expect(daemon.posted).toMatchObject([{ path: '/hooks/tool', headers: { 'x-sm-session': sessionId } }]);
    expect(daemon.posted[0]?.body.trimEnd()).toBe(edit);
  });
});

describe('a tool that is not named', () => {
  const bash = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"Edit"}}';
  const named = { program: 'tool.sh', args: ['Edit', 'Write'] } as const;

  it('is asked about only while some rule denies something', async () => {
    await daemon.listen({ status: 200, answer: deny });
    expect(await runHook(daemon, bash, named)).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
    expect(await runHook(daemon, edit, named)).toMatchObject({ stdout: `${deny}\n` });
    writeFileSync(join(daemon.home, 'denials'), '');
    expect(await runHook(daemon, bash, named)).toMatchObject({ stdout: `${deny}\n` });
    expect(daemon.posted).toHaveLength(2);
  });

  it('is asked about by the program of an earlier version, too', async () => {
    await daemon.listen({ status: 200, answer: deny });
    expect(await runHook(daemon, edit, { program: 'edit.sh' })).toMatchObject({ stdout: `${deny}\n` });
  });
});

describe('an edit goes on', () => {
  it('when nobody minds', async () => {
    await daemon.listen({ status: 204 });
    expect(await ask()).toMatchObject(silent);
  });

  it.each([
    ['is away', null],
    ['does not know the question', { status: 404, answer: '{"error":"not_found"}' }],
    ['fails', { status: 503, answer: deny }],
    ['dies', 'dies'],
  ] as const)('at once when the daemon %s, and nothing is kept', async (_, behaviour) => {
    if (behaviour) await daemon.listen(behaviour);
    expect(await ask()).toMatchObject(silent);
    expect(daemon.spooled()).toEqual([]);
  });

  it('after a second when the daemon hangs', async () => {
    await daemon.listen('hangs');
    const env = { TEST_LIMITED: 'http://localhost/hooks/tool' };
    expect(await ask({ env })).toMatchObject(silent);
    expect(daemon.limits()).toEqual([1]);
  });

  it('at once when facts wait for a daemon that hangs', async () => {
    await daemon.listen('hangs');
    const spool = join(daemon.home, 'spool', sessionId);
    mkdirSync(spool, { recursive: true });
    writeFileSync(join(spool, '1-a.hook'), '{}');
    expect(await ask()).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
  });

  it('where there is no curl, and outside of a session', async () => {
    await daemon.listen({ status: 200, answer: deny });
    const bin = join(daemon.home, 'bin');
    mkdirSync(bin);
    for (const tool of ['sh', 'cat']) symlinkSync(`/bin/${tool}`, join(bin, tool));
    expect(await ask({ env: { PATH: bin }, shell: ['/bin/sh'] })).toMatchObject({ code: 0, stdout: '' });
    expect(await ask({ env: { CLAUDE_SESSION_MANAGER_ID: '' } })).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
  });
});

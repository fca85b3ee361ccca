// The hook program of a question, run by real shells against a stand-in for the daemon.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStandIn, runHook, type StandIn, sessionId } from './stand-in.ts';

const silent = { code: 0, stdout: '', stderr: '' };
const question = '{"hook_event_name":"PermissionRequest","tool_name":"Bash"}';
const allow = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';
const limited = (path: string) => ({ TEST_LIMITED: `http://localhost${path}` });

let daemon: StandIn;
beforeEach(() => {
  daemon = createStandIn();
});
afterEach(() => daemon.close());

const ask = (seconds = 60, { shell = ['sh'], env = {} } = {}) =>
  runHook(daemon, question, { program: 'ask.sh', args: [String(seconds)], shell, env });

describe.each([[['sh']], [['dash']], [['bash', '--posix']]])('a question, under %s', (shell) => {
  it('is told, and its answer printed', async () => {
    await daemon.listen({ status: 204 }, { status: 200, answer: allow });
    expect(await ask(60, { shell })).toMatchObject({ ...silent, stdout: `${allow}\n` });
    const [told, waited] = daemon.posted;
    expect(told).toMatchObject({
      path: '/hooks/agent',
      headers: { 'x-sm-kind': 'question', 'x-sm-session': sessionId },
    });
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ tool_name: 'Bash' });
    expect(waited).toMatchObject({
      path: '/hooks/answer',
      headers: { 'x-sm-session': sessionId, 'x-sm-fact': told?.headers['x-sm-fact'] },
    });
  });
});

it('is asked of the rules alone where nobody else could answer in time', async () => {
  await daemon.listen({ status: 204 }, { status: 200, answer: allow });
  expect(await ask(0, { env: limited('/hooks/answer?ruled') })).toMatchObject({
    ...silent,
    stdout: `${allow}\n`,
  });
  expect(daemon.posted[1]).toMatchObject({ path: '/hooks/answer?ruled' });
  expect(daemon.limits()).toEqual([1, 5]);
});

describe('a question is left to the human', () => {
  it('when its time is over', async () => {
    await daemon.listen({ status: 204 }, 'hangs');
    expect(await ask(2, { env: limited('/hooks/answer') })).toMatchObject(silent);
    expect(daemon.limits()).toEqual([1, 2]);
    expect(daemon.spooled()).toEqual([]);
  });

  it.each([
    ['is over already', { status: 204 }],
    ['is refused', { status: 503, answer: 'not this' }],
    ['is cut by a daemon that dies', 'dies'],
  ] as const)('at once when the wait %s', async (_, toWaiting) => {
    await daemon.listen({ status: 204 }, toWaiting);
    expect(await ask()).toMatchObject(silent);
    // It was heard: to keep it, too, would be to tell it twice.
    expect(daemon.spooled()).toEqual([]);
  });

  it('at once, and kept, when there is no daemon', async () => {
    expect(await ask()).toMatchObject(silent);
    expect(daemon.spooled().map(daemon.read)).toEqual([question]);
  });

  it('after a second, and kept, when the daemon hangs: nobody who was not heard is answered', async () => {
    await daemon.listen('hangs', { status: 200, answer: allow });
    expect(await ask(60, { env: limited('/hooks/agent') })).toMatchObject(silent);
    expect(daemon.limits()).toEqual([1]);
    expect(daemon.posted).toHaveLength(1);
    expect(daemon.spooled()).toEqual([expect.stringMatching(/^\d{19}-.+\.hook$/)]);
    expect(daemon.spooled()[0]).toContain(daemon.posted[0]?.headers['x-sm-fact']);
  });

  it('at once, and kept, where there is no curl', async () => {
    await daemon.listen({ status: 204 }, { status: 200, answer: allow });
    const bin = join(daemon.home, 'bin');
    mkdirSync(bin);
    for (const tool of ['sh', 'cat', 'mkdir', 'mv', 'date']) symlinkSync(`/bin/${tool}`, join(bin, tool));
    const ran = await runHook(daemon, question, {
      program: 'ask.sh',
      args: ['60'],
      env: { PATH: bin },
      shell: ['/bin/sh'],
    });
    expect(ran).toMatchObject(silent);
    expect(daemon.spooled().map(daemon.read)).toEqual([question]);
  });

  it('outside of a session', async () => {
    await daemon.listen();
    const ran = await runHook(daemon, question, {
      program: 'ask.sh',
      args: ['60'],
      env: { CLAUDE_SESSION_MANAGER_ID: '' },
    });
    expect(ran).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
  });
});

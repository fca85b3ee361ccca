// The hook programs, run by real shells against a stand-in for the daemon.
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStandIn, type Ran, runHook, type StandIn, sessionId } from './stand-in.ts';

const silent = { code: 0, stdout: '', stderr: '' };
const stop = '{"hook_event_name":"Stop"}';
const limited = { env: { TEST_LIMITED: 'http://localhost/hooks/agent' } };

let daemon: StandIn;
beforeEach(() => {
  daemon = createStandIn();
});
afterEach(() => daemon.close());

describe('a fact, while the daemon is there', () => {
  it('is posted with its session, its kind and an id of its own', async () => {
    await daemon.listen();
    expect(await runHook(daemon, stop)).toMatchObject(silent);
    expect(await runHook(daemon, stop)).toMatchObject(silent);
    const [first, second] = daemon.posted;
    expect(JSON.parse(first?.body ?? '')).toEqual({ hook_event_name: 'Stop' });
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-sm-session': sessionId,
      'x-sm-kind': 'hook',
    });
    expect(first?.headers['x-sm-fact']).toMatch(/^[\w.-]{20,}$/);
    expect(second?.headers['x-sm-fact']).not.toBe(first?.headers['x-sm-fact']);
    expect(daemon.spooled()).toEqual([]);
  });

  it.each([
    ['quotes and backslashes', JSON.stringify('"\'\\ \\n %s %d C:\\new')],
    ['what a shell would run', JSON.stringify('$(touch /tmp/x) `id` $HOME $1 ; & | > < * ? ~ !')],
    ['what would end a here-document', '["\\n",\nBODY\n"BODY"]'],
    ['newlines', '{\n\n  "a":\t1\n}'],
    ['every kind of letter', JSON.stringify('Grüße, 日本語, 👩‍👩‍👧, \u202e, \u0001')],
    ['a body of 1.5 MB', JSON.stringify({ text: 'ä"\\$(x)`y`\n'.repeat(100_000) })],
    ['what begins with a dash or an at sign', '@/etc/passwd'],
  ])('arrives as it was: %s', async (_, body) => {
    await daemon.listen();
    expect(await runHook(daemon, body)).toMatchObject(silent);
    expect(daemon.posted[0]?.body.trimEnd()).toBe(body);
  });

  it('is told with the key of its session, which no list of processes shows', async () => {
    await daemon.listen();
    const SM_CALLER = `${sessionId}.0123456789abcdef`;
    expect(await runHook(daemon, stop, { env: { SM_CALLER } })).toMatchObject(silent);
    expect(await runHook(daemon, stop)).toMatchObject(silent);
    expect(daemon.posted.map(({ headers }) => headers['x-sm-caller'])).toEqual([SM_CALLER, undefined]);
    expect(daemon.posted.map(({ headers }) => headers['x-sm-session'])).toEqual([sessionId, sessionId]);
    expect(daemon.arguments()).not.toContain('0123456789abcdef');
  });

  it('that is told with the key of another session and refused is not kept either', async () => {
    await daemon.listen({ status: 403 });
    expect(await runHook(daemon, stop, { env: { SM_CALLER: 'ffffffff.0123' } })).toMatchObject(silent);
    expect(daemon.posted).toHaveLength(1);
    expect(daemon.spooled()).toEqual([]);
    // A key that is only out of date must not lose anything.
    expect(await runHook(daemon, stop, { env: { SM_CALLER: `${sessionId}.0123` } })).toMatchObject(silent);
    expect(daemon.spooled()).toHaveLength(1);
  });

  it('is disturbed neither by a ~/.curlrc nor by a proxy', async () => {
    await daemon.listen();
    writeFileSync(
      join(daemon.home, '.curlrc'),
      'verbose\nproxy = "http://127.0.0.1:9"\nuser-agent = "mine"\n',
    );
    const proxies = { http_proxy: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' };
    expect(await runHook(daemon, stop, { env: proxies })).toMatchObject(silent);
    expect(daemon.posted).toHaveLength(1);
  });

  it('is not told outside of a session', async () => {
    await daemon.listen();
    const outside = { env: { CLAUDE_SESSION_MANAGER_ID: '' } };
    expect(await runHook(daemon, stop, outside)).toMatchObject(silent);
    expect(await runHook(daemon, stop, { ...outside, program: 'status-line.sh' })).toMatchObject(silent);
    expect(daemon.posted).toEqual([]);
    expect(readdirSync(daemon.home).sort()).toEqual(['curl', 'sm.sock']);
  });
});

describe('a fact, when the daemon does not take it', () => {
  /** That the agent feels nothing, and that the fact is in the spool. */
  function expectSpooled(ran: Ran, body = stop): void {
    expect(ran).toMatchObject(silent);
    const names = daemon.spooled();
    expect(names).toEqual([expect.stringMatching(/^\d{19}-.+\.hook$/)]);
    expect(daemon.read(names[0] as string)).toBe(body);
  }

  it('is spooled at once if there is none', async () => {
    expectSpooled(await runHook(daemon, stop));
  });

  it('is spooled if the answer is an error', async () => {
    await daemon.listen({ status: 503, answer: '{"error":"not_stored"}' });
    expectSpooled(await runHook(daemon, stop));
    expect(daemon.posted).toHaveLength(1);
  });

  it('is spooled under the id that was posted, so that it counts once', async () => {
    await daemon.listen({ status: 503 });
    await runHook(daemon, stop);
    expect(daemon.spooled()[0]).toContain(daemon.posted[0]?.headers['x-sm-fact']);
  });

  it('is spooled after a second if no answer comes, and the next ones without any wait', async () => {
    await daemon.listen('hangs');
    expectSpooled(await runHook(daemon, stop, limited));
    expect(await runHook(daemon, stop)).toMatchObject(silent);
    expect(daemon.limits()).toEqual([1]);
    expect(daemon.posted).toHaveLength(1);
    expect(daemon.spooled()).toHaveLength(2);
  });

  it('is spooled as it was, whatever is in it', async () => {
    const body = JSON.stringify({ text: '"\'\\ $(x) `y` %s\n日本語 '.repeat(60_000) });
    expectSpooled(await runHook(daemon, body), body);
  });

  it('is spooled where there is no curl', async () => {
    await daemon.listen();
    const bin = join(daemon.home, 'bin');
    mkdirSync(bin);
    for (const tool of ['sh', 'cat', 'mkdir', 'mv', 'date']) symlinkSync(`/bin/${tool}`, join(bin, tool));
    expectSpooled(await runHook(daemon, stop, { env: { PATH: bin }, shell: ['/bin/sh'] }));
  });

  it.each([
    ['macOS', 'N'],
    ['busybox', '%N'],
    ['one that leaves it out', ''],
  ])('is spooled where date knows no nanoseconds: %s', async (_, word) => {
    const bin = join(daemon.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'date'), `#!/bin/sh\necho "1794986320${word}"\n`, { mode: 0o755 });
    expectSpooled(await runHook(daemon, stop, { env: { PATH: `${bin}:${process.env.PATH}` } }));
    expect(daemon.spooled()[0]).toMatch(/^1794986320000000000-/);
  });

  it('stands in the spool in the order in which it was said, for its owner alone', async () => {
    for (const name of ['first', 'second', 'third']) await runHook(daemon, `"${name}"`);
    expect(daemon.spooled().map(daemon.read)).toEqual(['"first"', '"second"', '"third"']);
    const folder = join(daemon.home, 'spool', sessionId);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(statSync(join(folder, daemon.spooled()[0] as string)).mode & 0o077).toBe(0);
  });
});

describe('the status line', () => {
  const program = 'status-line.sh';
  const figures = '{"context_window":{"used_percentage":12}}';

  it('shows what the daemon answers', async () => {
    await daemon.listen({ status: 200, answer: 'worker · idle · context 12 %' });
    expect(await runHook(daemon, figures, { program })).toMatchObject({
      ...silent,
      stdout: 'worker · idle · context 12 %\n',
    });
    expect(daemon.posted[0]).toMatchObject({ headers: { 'x-sm-kind': 'status', 'x-sm-session': sessionId } });
  });

  it("runs the user's own command instead, with the same input", async () => {
    await daemon.listen({ status: 200, answer: 'not this' });
    const ran = await runHook(daemon, figures, { program, args: [`printf 'mine: %s\\n' "$(cat)"`] });
    expect(ran).toMatchObject({ ...silent, stdout: `mine: ${figures}\n` });
    expect(daemon.posted).toHaveLength(1);
  });

  it('says which session it is when the daemon is away, and keeps only the newest sample', async () => {
    await runHook(daemon, '{"old":1}', { program });
    expect(await runHook(daemon, figures, { program })).toMatchObject({
      ...silent,
      stdout: `sm ${sessionId}\n`,
    });
    expect(daemon.spooled()).toEqual(['newest.status']);
    expect(daemon.read('newest.status')).toBe(figures);
  });
});

describe.each([['dash'], ['bash', '--posix']])('under %s %s', (...shell) => {
  it('posts, and spools', async () => {
    const body = JSON.stringify({ text: '"\\n$(x)`'.repeat(20_000) });
    expect(await runHook(daemon, body, { shell })).toMatchObject(silent);
    expect(daemon.spooled().map(daemon.read)).toEqual([body]);
    rmSync(join(daemon.home, 'spool'), { recursive: true });
    await daemon.listen();
    expect(await runHook(daemon, body, { shell })).toMatchObject(silent);
    expect(daemon.posted[0]?.body.trimEnd()).toBe(body);
  });
});

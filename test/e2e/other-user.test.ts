// Another user of the machine tries all doors: files, sockets, the terminals, and TCP. Only root can become somebody else.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';

const nobody = '65534';
const canBeOther = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

describe.skipIf(!canBeOther)('another user', () => {
  let daemon: TestDaemon;
  let id: string;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    id = await startIdle(daemon, 'mine');
    // The folder of the test is closed as a whole; he is let up to the state directory, as in a home that all can enter.
    chmodSync(join(daemon.home, '..'), 0o755);
  });
  afterAll(() => daemon?.dispose());

  function asOther(...command: string[]): { code: number | null; said: string } {
    const as = ['--reuid', nobody, '--regid', nobody, '--clear-groups', '--', ...command];
    const { status, stdout, stderr } = spawnSync('setpriv', as, { encoding: 'utf8', cwd: '/' });
    return { code: status, said: stdout + stderr };
  }
  const ask = (method: string, path: string, ...more: string[]) =>
    asOther('curl', '-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, ...more, path)
      .said;

  it('is somebody else, and gets up to the state directory', () => {
    expect(asOther('id', '-u').said.trim()).toBe(nobody);
    expect(asOther('ls', join(daemon.home, '..'))).toMatchObject({ code: 0 });
  });

  it('cannot list it, enter it, or read any file of it', () => {
    for (const command of [
      ['ls', daemon.home],
      ['sh', '-c', `cd '${daemon.home}'`],
      ...['token', 'secret', 'sm.db', 'lock.db', 'logs/daemon.log', 'spool'].map((name) => [
        'cat',
        join(daemon.home, name),
      ]),
    ])
      expect(asOther(...command).said, command.join(' ')).toMatch(/permission denied|can't cd/i);
  });

  it('cannot write into it: no fact, no program for agents, no policy', () => {
    for (const name of [`spool/${id}/1-x.hook`, 'bin/sm', 'policies.yaml', 'denials', 'x'])
      expect(asOther('sh', '-c', `echo x > '${join(daemon.home, name)}'`).code, name).not.toBe(0);
  });

  it('cannot speak to the daemon by its socket, nor to the terminals', () => {
    const socket = ['--unix-socket', join(daemon.home, 'sm.sock')];
    expect(ask('GET', 'http://localhost/sessions', ...socket)).toBe('000');
    for (const words of [
      ['ls'],
      ['attach'],
      ['send-keys', '-t', `=sm-${id}:`, 'x', 'Enter'],
      ['kill-server'],
    ])
      expect(asOther('tmux', '-S', join(daemon.home, 'tmux.sock'), ...words).code, words[0]).not.toBe(0);
  });

  it('gets nothing over TCP but that somebody is there', () => {
    const base = `http://127.0.0.1:${daemon.port}`;
    expect(ask('GET', `${base}/health`)).toBe('200');
    const json = ['-H', 'content-type: application/json', '-d', '{"text":"hi"}'];
    for (const [method, path, ...more] of [
      ['GET', '/sessions'],
      ['GET', `/sessions/${id}`],
      ['GET', '/events'],
      ['GET', `/sessions/${id}/output`],
      ['POST', `/sessions/${id}/input`, ...json],
      ['POST', `/sessions/${id}/kill`, ...json],
      ['POST', '/sessions', ...json],
      ['POST', '/hooks/agent', '-H', `x-sm-session: ${id}`, ...json],
      ['POST', '/hooks/claude', ...json],
      ['POST', '/hooks/answer', ...json],
      ['POST', '/hooks/tool', ...json],
      ['GET', '/sessions', '-H', 'authorization: Bearer '],
      ['GET', '/sessions', '-H', `x-sm-caller: ${id}.${'0'.repeat(64)}`],
      ['GET', '/sessions', '-H', 'cookie: sm=x'],
    ] as [string, string, ...string[]][])
      expect(['401', '403'], `${method} ${path}`).toContain(ask(method, base + path, ...more));
  });

  it('sees no secret on a command line, and not the environment of an agent', () => {
    const shown = asOther('ps', '-A', '-ww', '-o', 'args').said;
    expect(shown).toContain('daemon.cjs');
    const token = spawnSync('cat', [join(daemon.home, 'token')], { encoding: 'utf8' }).stdout.trim();
    expect(token.length).toBeGreaterThan(20);
    expect(shown).not.toContain(token);
    expect(shown).not.toMatch(new RegExp(`${id}\\.[0-9a-f]{64}`));
    expect(asOther('cat', `/proc/${daemon.pid}/environ`).code).not.toBe(0);
  });

  it('has changed nothing by all that', async () => {
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle', friendly_name: 'mine' });
    expect(
      (await daemon.call<{ messages: unknown[] }>('GET', `/sessions/${id}/messages`)).body.messages,
    ).toEqual([]);
  });
});

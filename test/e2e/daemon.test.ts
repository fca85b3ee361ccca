// The daemon as a process: one instance, its doors, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';

const program = join(import.meta.dirname, '../../dist/daemon.cjs');
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

/** Runs a daemon until it ends by itself. */
async function runToEnd(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** A zombie that nobody has collected yet does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('one daemon per state directory', () => {
  it('a second one ends at once and says why', async () => {
    const { code, said } = await runToEnd({ SM_HOME: daemon.home });
    expect(code).toBe(75);
    expect(said).toContain(`already running for ${daemon.home}`);
    expect((await daemon.call('GET', '/health')).body).toMatchObject({ pid: daemon.pid });
  });

  it('of five that start at once, one remains and all commands work', async () => {
    const other = await startTestDaemon();
    await other.crash();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => other.sm('status')));
    expect(answers.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(5).fill({ code: 0, stderr: '' }),
    );
    const { body } = await other.call<{ pid: number }>('GET', '/health');
    await other.sm('down');
    expect(isRunning(body.pid)).toBe(false);
    await other.dispose();
  });
});

describe('sm down', () => {
  it('leaves the agents their tmux, and no tmux without agents', async () => {
    const other = await startTestDaemon();
    try {
      const id = await startIdle(other, 'stays');
      expect((await other.sm('down')).stdout).toBe(
        'sm has stopped. One agent keeps running; any command finds it again.\n',
      );
      expect(await other.tmux('list-sessions')).toContain(`sm-${id}`);
      expect((await other.sm('kill', 'stays')).code).toBe(0);
      expect((await other.sm('down')).stdout).toBe('sm has stopped.\n');
      await expect(other.tmux('list-sessions')).rejects.toThrow('no server running');
      expect((await other.sm('down')).stdout).toBe('sm is not running.\n');
    } finally {
      await other.dispose();
    }
  });
});

describe('what it keeps', () => {
  it('is for its owner only', () => {
    const mode = (name: string) => (statSync(join(daemon.home, name)).mode & 0o777).toString(8);
    expect({
      home: mode('.'),
      socket: mode('sm.sock'),
      token: mode('token'),
      secret: mode('secret'),
      database: mode('sm.db'),
    }).toEqual({ home: '700', socket: '600', token: '600', secret: '600', database: '600' });
  });
});

describe('a port that is taken', () => {
  it('is named with its owner and what to configure', async () => {
    const squatter = createServer((_, res) => res.end('hello')).listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    const root = mkdtempSync(join(tmpdir(), 'sm-'));
    writeFileSync(join(root, 'config.yaml'), JSON.stringify({ server: { port } }));
    const { code, said } = await runToEnd({
      SM_HOME: join(root, 'state'),
      SM_CONFIG: join(root, 'config.yaml'),
    });
    squatter.close();
    rmSync(root, { recursive: true });
    expect(code).toBe(1);
    expect(said).toContain(`Port ${port} is in use by process ${process.pid}`);
    expect(said).toContain(`server: { port: ${port + 1} }`);
  });
});

describe('a broken configuration', () => {
  it('is named with the line of each fault, and nothing starts', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sm-'));
    writeFileSync(join(root, 'config.yaml'), 'server:\n  port: 99999\n  prot: 1\nclaud: {}\n');
    const { code, said } = await runToEnd({
      SM_HOME: join(root, 'state'),
      SM_CONFIG: join(root, 'config.yaml'),
    });
    rmSync(root, { recursive: true });
    expect(code).toBe(1);
    expect(said).toMatch(/config\.yaml:2: server\.port/);
    expect(said).toMatch(/config\.yaml:3: unknown key server\.prot/);
    expect(said).toMatch(/config\.yaml:4: unknown key claud/);
  });
});

describe('the TCP door', () => {
  interface Reply {
    status: number;
    body: { error?: string; status?: string; [key: string]: unknown };
  }
  const ask = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const req = request({ host: '127.0.0.1', port: daemon.port, method, path, headers }, async (res) => {
        let text = '';
        for await (const chunk of res) text += chunk;
        resolve({ status: res.statusCode ?? 0, body: JSON.parse(text || '{}') });
      });
      req.on('error', reject);
      req.end(body);
    });
  const token = () => ({
    authorization: `Bearer ${readFileSync(join(daemon.home, 'token'), 'utf8').trim()}`,
  });
  const json = { 'content-type': 'application/json' };
  async function idleSession(): Promise<string> {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
    });
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    return body.id;
  }

  it('tells anyone that it lives', async () => {
    expect(await ask('GET', '/health')).toMatchObject({ status: 200, body: { status: 'healthy' } });
  });

  it('wants the token for everything else', async () => {
    expect(await ask('GET', '/sessions')).toMatchObject({ status: 401, body: { error: 'no_token' } });
    expect(await ask('GET', '/sessions', { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    expect(await ask('GET', '/sessions', token())).toMatchObject({ status: 200 });
  });

  it('refuses a rebound host and a foreign page, also with the token', async () => {
    expect(await ask('GET', '/health', { host: 'evil.example:8420' })).toMatchObject({
      status: 403,
      body: { error: 'foreign_host' },
    });
    expect(await ask('GET', '/sessions', { ...token(), origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { error: 'foreign_origin' },
    });
  });

  it('refuses what is not JSON, too long, or without a length', async () => {
    expect(await ask('POST', '/sessions', { ...token(), 'content-type': 'text/plain' }, '{}')).toMatchObject({
      status: 415,
    });
    expect(
      await ask('POST', '/sessions', { ...token(), ...json }, 'x'.repeat(9 * 1024 * 1024)),
    ).toMatchObject({ status: 413 });
    expect(
      await ask('POST', '/sessions', { ...token(), ...json, 'transfer-encoding': 'chunked' }, '{}'),
    ).toMatchObject({ status: 411 });
  });

  it('takes no facts without the token, and tells nothing of sessions', async () => {
    const id = await idleSession();
    const facts = {
      '/hooks/context-usage': { session_id: id, used_percentage: 99 },
      '/hooks/claude': { session_manager_id: id, hook_event_name: 'SessionEnd', reason: 'clear' },
      '/hooks/tool-use': { session_manager_id: id, hook_event_name: 'PostToolUse' },
      '/hooks/agent': { hook_event_name: 'Stop' },
    };
    const before = (await daemon.events(id)).length;
    for (const [path, fact] of Object.entries(facts)) {
      const answer = await ask('POST', path, { ...json, 'x-sm-session': id }, JSON.stringify(fact));
      expect(answer, path).toMatchObject({ status: 401, body: { error: 'no_token' } });
    }
    for (const path of [`/sessions/${id}`, '/sessions/context-monitor', '/openapi.json', '/events'])
      expect(await ask('GET', path), path).toMatchObject({ status: 401 });
    expect(await daemon.events(id)).toHaveLength(before);
    expect(Object.keys((await ask('GET', `/sessions/${id}`, token())).body)).toContain('phase');
  });

  it('takes facts with the token, and knows which sessions are not ours', async () => {
    const fact = JSON.stringify({ session_manager_id: 'nobody', hook_event_name: 'Stop', session_id: 'x' });
    const trusted = { ...json, ...token() };
    expect(await ask('POST', '/hooks/claude', trusted, fact)).toEqual({
      status: 200,
      body: { status: 'unknown_session' },
    });
    expect(await ask('POST', '/hooks/claude', trusted, '{broken')).toMatchObject({ status: 400 });
    const latin = Buffer.from('{"session_manager_id":"caf\xe9"}', 'latin1');
    expect(await ask('POST', '/hooks/claude', trusted, latin)).toMatchObject({
      status: 400,
      body: { detail: 'The body is not UTF-8.' },
    });
    expect(
      await ask('POST', '/hooks/claude', { ...trusted, origin: 'https://evil.example' }, fact),
    ).toMatchObject({ status: 403 });
  });
});

describe('the TCP door with open hooks', () => {
  let open: TestDaemon;
  beforeAll(async () => {
    open = await startTestDaemon({ config: { server: { port: 0, open_hooks: true } } });
  });
  afterAll(() => open.dispose());
  const ask = (method: string, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${open.port}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  it('lets a script tell facts, and hear what it needs of its session and no more', async () => {
    const { body } = await open.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: open.work,
      name: 'guessed',
    });
    await open.untilSession(body.id, ({ phase }) => phase === 'idle');
    const sample = { session_id: body.id, used_percentage: 7 };
    expect(await (await ask('POST', '/hooks/context-usage', sample)).json()).toEqual({
      status: 'ok',
      used_percentage: 7,
    });
    expect(Object.keys((await (await ask('GET', `/sessions/${body.id}`)).json()) as object).sort()).toEqual([
      'id',
      'last_handoff_path',
      'status',
    ]);
    for (const ref of ['guessed', body.id.slice(0, 2), 'nobody'])
      expect(await (await ask('GET', `/sessions/${ref}`)).json()).toEqual({
        error: 'not-found',
        detail: `No session "${ref}".`,
        data: { is: 'no-session', ref },
      });
  });

  it.each([
    ['GET', '/sessions'],
    ['GET', '/sessions/context-monitor'],
    ['GET', '/sessions/context%2Dmonitor'],
    ['GET', '/sessions/x/output'],
    ['GET', '/events'],
    ['GET', '/openapi.json'],
    ['POST', '/sessions/x/kill'],
    ['DELETE', '/sessions/x'],
    ['POST', '/health'],
  ])('wants the token for everything else: %s %s', async (method, path) => {
    expect((await ask(method, path)).status).toBe(401);
  });
});

describe('bad input', () => {
  const refused = async (method: string, path: string, body: unknown, status: number, detail: RegExp) => {
    const before = (await daemon.call<{ sessions: unknown[] }>('GET', '/sessions')).body.sessions.length;
    const answer = await daemon.call<{ error: string; detail: string }>(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.detail).toMatch(detail);
    expect((await daemon.call<{ sessions: unknown[] }>('GET', '/sessions')).body.sessions).toHaveLength(
      before,
    );
  };

  it('is refused with what to do, and changes nothing', async () => {
    const working_dir = daemon.work;
    await refused('GET', '/sessions/nobody', undefined, 404, /No session "nobody"/);
    await refused('POST', '/sessions', '{broken', 400, /JSON/);
    await refused('POST', '/sessions', { working_dir: 3 }, 400, /working_dir/);
    await refused(
      'POST',
      '/sessions',
      { working_dir: '/not/there', provider: 'scripted' },
      400,
      /No directory \/not\/there/,
    );
    await refused('POST', '/sessions', { working_dir: 'relative', provider: 'scripted' }, 400, /absolute/);
    await refused(
      'POST',
      '/sessions',
      { working_dir, provider: 'gpt' },
      400,
      /Unknown provider "gpt" \(known: claude, .*codex, codex-app,/,
    );
    await refused(
      'POST',
      '/sessions',
      { working_dir, provider: 'claude' },
      400,
      /claude was not found.*Install it with/,
    );
    await refused(
      'POST',
      '/sessions/spawn',
      { prompt: '', provider: 'scripted', working_dir },
      400,
      /text is empty/,
    );
    await refused(
      'POST',
      '/sessions/spawn',
      { prompt: 'x', provider: 'scripted', working_dir, parent_session_id: 'nobody' },
      404,
      /nobody/,
    );
    await refused(
      'POST',
      '/sessions',
      { working_dir, provider: 'scripted', name: 'bad\u001b[31mname' },
      400,
      /name has/,
    );
    await refused('GET', '/nothing/here', undefined, 404, /openapi/);
    await refused('POST', '/sessions', '', 400, /^working_dir: is missing$/);
    // No body is needed here, so an empty one is none.
    await refused('POST', '/sessions/nobody/kill', '', 404, /No session "nobody"/);
  });

  it('a name that is taken', async () => {
    const first = await daemon.call('POST', '/sessions', {
      working_dir: daemon.work,
      provider: 'scripted',
      name: 'taken',
    });
    expect(first.status).toBe(200);
    await refused(
      'POST',
      '/sessions',
      { working_dir: daemon.work, provider: 'scripted', name: 'taken' },
      409,
      /already has the name "taken"/,
    );
  });
});

describe('SIGTERM', () => {
  it('lets what is under way have its answer', async () => {
    const other = await startTestDaemon();
    const asked = { provider: 'scripted', working_dir: other.work, prompt: '[[sleep 60]]', wait: 1 };
    const waiting = other.call('POST', '/sessions/spawn', asked);
    // It has come in by the time that a later one is answered.
    await other.call('GET', '/health');
    process.kill(other.pid, 'SIGTERM');
    expect(await waiting).toMatchObject({ status: 200, body: { turn_ended: false } });
    await other.death();
    await other.dispose();
  });

  it('ends it in order: socket gone, exit 0, agents alive', async () => {
    const other = await startTestDaemon();
    const { body } = await other.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: other.work,
    });
    await other.untilSession(body.id, (session) => session.phase === 'idle');
    process.kill(other.pid, 'SIGTERM');
    await other.death();
    expect(() => statSync(join(other.home, 'sm.sock'))).toThrow();
    expect((await other.tmux('display-message', '-p', '-t', `=sm-${body.id}:`, '#{pane_dead}')).trim()).toBe(
      '0',
    );
    await other.dispose();
  });
});

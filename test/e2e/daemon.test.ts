// The daemon as a process: one instance, its doors, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';

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

describe('what it keeps', () => {
  it('is for its owner only', () => {
    const mode = (name: string) => (statSync(join(daemon.home, name)).mode & 0o777).toString(8);
    expect({
      home: mode('.'),
      socket: mode('sm.sock'),
      token: mode('token'),
      database: mode('sm.db'),
    }).toEqual({ home: '700', socket: '600', token: '600', database: '600' });
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
    expect(said).toContain(`Port ${port} is taken by process ${process.pid}`);
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
    body?: string,
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

  it('takes facts without a token, and knows which sessions are not ours', async () => {
    const fact = JSON.stringify({ session_manager_id: 'nobody', hook_event_name: 'Stop', session_id: 'x' });
    expect(await ask('POST', '/hooks/claude', json, fact)).toEqual({
      status: 200,
      body: { status: 'unknown_session' },
    });
    expect(await ask('POST', '/hooks/claude', json, '{broken')).toMatchObject({ status: 400 });
    expect(
      await ask('POST', '/hooks/claude', { ...json, origin: 'https://evil.example' }, fact),
    ).toMatchObject({ status: 403 });
  });

  it('tells a hook script of its session only what it needs', async () => {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
    });
    expect(Object.keys((await ask('GET', `/sessions/${body.id}`)).body).sort()).toEqual([
      'id',
      'last_handoff_path',
      'status',
    ]);
    expect(Object.keys((await ask('GET', `/sessions/${body.id}`, token())).body)).toContain('phase');
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
    await refused('GET', '/sessions/nobody', undefined, 404, /no session "nobody".*sm all/);
    await refused('POST', '/sessions', '{broken', 400, /JSON/);
    await refused('POST', '/sessions', { working_dir: 3 }, 400, /working_dir/);
    await refused(
      'POST',
      '/sessions',
      { working_dir: '/not/there', provider: 'scripted' },
      400,
      /no directory \/not\/there/,
    );
    await refused('POST', '/sessions', { working_dir: 'relative', provider: 'scripted' }, 400, /absolute/);
    await refused(
      'POST',
      '/sessions',
      { working_dir, provider: 'gpt' },
      400,
      /no provider "gpt".*claude, codex, codex-app, scripted/,
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
      /"taken" is taken/,
    );
  });
});

describe('SIGTERM', () => {
  it('lets what is under way have its answer', async () => {
    const other = await startTestDaemon();
    const waiting = other.call('GET', '/events?wait=1&after=999');
    // It has come in by the time that a later one is answered.
    await other.call('GET', '/health');
    process.kill(other.pid, 'SIGTERM');
    expect(await waiting).toEqual({ status: 200, body: { events: [] } });
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

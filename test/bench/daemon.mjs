// A private daemon: its own state directory, its own tmux server, any free port. Gone at the end of the figure.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atTheEnd, endProcess, endTmux, temporaryFolder } from './cleanup.mjs';
import { callDaemon } from './http.mjs';
import { dist, hooks, programs } from './paths.mjs';

const patienceMs = 120_000;

/**
 * `claude`: what agents of the provider `claude` are; ours cost nothing. `others`: more of the configuration. `prepare`
 * is given the state directory before the start.
 */
export async function startDaemon({ claude = ownAgent('quiet-agent.sh'), prepare, ...others } = {}) {
  const folder = temporaryFolder();
  const home = join(folder, 'h');
  const work = join(folder, 'work');
  const config = join(folder, 'config.yaml');
  mkdirSync(work);
  writeFileSync(config, JSON.stringify({ server: { port: 0 }, claude, ...others }));
  const env = { ...process.env, HOME: folder, SM_HOME: home, SM_CONFIG: config };
  // Whoever runs this may be an agent of another daemon.
  for (const name of ['SM_CALLER', 'CLAUDE_SESSION_MANAGER_ID']) delete env[name];

  if (prepare) {
    mkdirSync(home, { mode: 0o700 });
    await prepare(home);
  }
  // As everybody starts it, so that what is measured is what everybody gets.
  execFileSync(process.execPath, [join(dist, 'sm.cjs'), 'up'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid, port } = readStart(join(home, 'logs', 'daemon.log'));
  const socket = join(home, 'sm.sock');
  const tmuxSocket = join(home, 'tmux.sock');
  atTheEnd(() => endTmux(tmuxSocket));
  atTheEnd(() => endProcess(pid));

  const call = (...args) => callDaemon(socket, ...args);
  const token = readFileSync(join(home, 'token'), 'utf8').trim();
  return { pid, port, home, work, env, token, socket, tmuxSocket, database: join(home, 'sm.db'), call };
}

/** What the hook programs of a session send along. */
export function callerKey({ home }, id) {
  const secret = readFileSync(join(home, 'secret'), 'utf8').trim();
  return `${id}.${createHmac('sha256', secret).update(`session ${id}`).digest('hex')}`;
}

export function ownAgent(program) {
  return { command: join(programs, program), env: { BENCH_HOOK: join(hooks, 'hook.sh') } };
}

function readStart(log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'sm is up');
}

/** Starts so many sessions, a few at a time, and waits until all of them are idle. */
export async function startSessions(daemon, count, { provider = 'claude', ...more } = {}) {
  const body = { provider, working_dir: daemon.work, ...more };
  for (let started = 0; started < count; started += 5) {
    const group = Math.min(5, count - started);
    await Promise.all(Array.from({ length: group }, () => daemon.call('POST', '/sessions', body)));
  }
  return untilIdle(daemon, count);
}

export async function untilIdle(daemon, count) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { sessions } = await daemon.call('GET', '/sessions');
    const ended = sessions.find(({ status }) => status === 'stopped');
    if (ended) throw new Error(`a session ended: ${ended.ended.reason}`);
    if (sessions.length === count && sessions.every(({ phase }) => phase === 'idle')) return sessions;
    if (performance.now() > deadline)
      throw new Error(`not all sessions became idle: ${sessions.map(({ phase }) => phase)}`);
    await delay(100);
  }
}

// A private daemon: its own state directory, its own tmux server, any free port. Gone at the end of the figure.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atTheEnd, endChild, endTmux, temporaryFolder } from './cleanup.mjs';
import { callDaemon } from './http.mjs';
import { dist, hooks, programs } from './paths.mjs';

const patienceMs = 120_000;

export async function startDaemon() {
  const folder = temporaryFolder();
  const home = join(folder, 'h');
  const work = join(folder, 'work');
  const config = join(folder, 'config.yaml');
  mkdirSync(home);
  mkdirSync(work);
  writeFileSync(config, JSON.stringify(configuration()));

  const output = openSync(join(folder, 'daemon.out'), 'a');
  const env = { ...process.env, HOME: folder, SM_HOME: home, SM_CONFIG: config };
  // Our own flags are the daemon's as well: `node --cpu-prof test/bench/run.mjs --only …` profiles it.
  const args = [...process.execArgv, join(dist, 'daemon.cjs')];
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  const tmuxSocket = join(home, 'tmux.sock');
  atTheEnd(() => endTmux(tmuxSocket));
  atTheEnd(() => endChild(child));

  const port = await untilUp(child, join(home, 'logs', 'daemon.log'), join(folder, 'daemon.out'));
  const socket = join(home, 'sm.sock');
  const call = (method, path, body) => callDaemon(socket, method, path, body);
  return {
    pid: child.pid,
    child,
    home,
    work,
    env,
    socket,
    port,
    tmuxSocket,
    database: join(home, 'sm.db'),
    call,
  };
}

/** Agents of the provider `claude` are ours, which cost nothing. */
function configuration() {
  const command = join(programs, 'quiet-agent.sh');
  return { server: { port: 0 }, claude: { command, env: { BENCH_HOOK: join(hooks, 'hook.sh') } } };
}

async function untilUp(child, log, output) {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const up = linesOf(log).find((line) => line.includes('"sm is up"'));
    if (up) return JSON.parse(up).port;
    if (child.exitCode !== null) break;
    await delay(20);
  }
  throw new Error(`the daemon did not start: ${linesOf(output).join('\n') || 'it said nothing'}`);
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Starts so many sessions, a few at a time, and waits until all of them are idle. */
export async function startSessions(daemon, count, { provider = 'claude' } = {}) {
  const body = { provider, working_dir: daemon.work };
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

// A real daemon on a private state directory, for tests: started, asked, killed, started again, and cleaned up.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '../../src/client/client.ts';
import type { LiveItem } from '../../src/client/stream.ts';
import { transportTo } from '../../src/client/transport.ts';
import type { EventView } from '../../src/protocol/event.ts';
import type { SessionView } from '../../src/protocol/session.ts';
import { processEnds } from '../../src/terminal/process-identity.ts';

const run = promisify(execFile);
/** Only for what never happens: a busy machine may take long. */
const patienceMs = 60_000;
/** What is otherwise on a machine that test/machines makes. */
const machineEnv: Record<string, string> = JSON.parse(process.env.SM_TEST_MACHINE_ENV ?? '{}');
/** Where processes are looked up: one of those machines has no /proc for the programs that are tried. */
export const proc = process.env.SM_TEST_PROC ?? '/proc';
const ownDist = join(import.meta.dirname, '../../dist');

export interface Answer<T = Record<string, unknown>> {
  status: number;
  body: T;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestDaemon {
  readonly home: string;
  /** A directory for agents to work in. */
  readonly work: string;
  readonly port: number;
  readonly pid: number;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  session(ref: string): Promise<SessionView>;
  /** All events of a session until one fits; fails when none comes. */
  until(sessionId: string, fits: (event: EventView) => boolean, after?: number): Promise<EventView>;
  /** Waits until the session looks like this. */
  untilSession(ref: string, fits: (session: SessionView) => boolean): Promise<SessionView>;
  events(sessionId: string): Promise<EventView[]>;
  /** What a human does at the terminal. */
  tmux(...args: string[]): Promise<string>;
  sm(...args: string[]): Promise<Ran>;
  /** With these variables on top. */
  smWith(env: Record<string, string>, ...args: string[]): Promise<Ran>;
  /** The same with an `sm` of other bundles. */
  smOf(dist: string, ...args: string[]): Promise<Ran>;
  /** Ends the daemon like a power cut; agents go on. */
  crash(): Promise<void>;
  /** Ends the daemon as `sm down` does; agents go on. */
  stop(): Promise<void>;
  /** Waits for the daemon to die by itself (at a crash point). */
  death(): Promise<void>;
  start(env?: Record<string, string>): Promise<void>;
  /** Ends the terminal like a power cut, and all agents in it. */
  endAgents(): Promise<void>;
  /** Ends everything and removes every trace. */
  dispose(): Promise<void>;
}

export interface TestDaemonOptions {
  readonly config?: object;
  readonly env?: Record<string, string>;
  /** How many the daemon may have. */
  readonly openFiles?: number;
  /** What the daemon is run by, such as `ip netns exec NAME`. */
  readonly within?: readonly string[];
  /** The bundles to run, if not those of this checkout. */
  readonly dist?: string;
  /** For whoever gives it a disk of its own: before it is first used, and when it is no longer. */
  readonly beforeStart?: (home: string) => void;
  readonly beforeRemoval?: (home: string) => void;
}

export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { dist = ownDist, openFiles, within = [] } = options;
  const root = mkdtempSync(join(tmpdir(), 'sm-'));
  const home = join(root, 'state');
  const work = join(root, 'work');
  const configFile = join(root, 'config.yaml');
  await run('mkdir', ['-p', work, join(root, 'home')]);
  writeFileSync(configFile, JSON.stringify({ server: { port: 0 }, ...options.config }));
  // Only what any login has: a test must not depend on the developer's own setup, nor disturb it.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SM_HOME: home,
    SM_CONFIG: configFile,
    ...machineEnv,
    ...options.env,
  };
  let child: ChildProcess | null = null;
  let port = 0;

  async function start(extra: Record<string, string> = {}): Promise<void> {
    const limited = `ulimit -n ${openFiles}; exec "$@"`;
    const program = [...within, process.execPath, join(dist, 'daemon.cjs')];
    const [command = '', ...args] = openFiles ? ['/bin/sh', '-c', limited, 'sh', ...program] : program;
    const started = spawn(command, args, {
      env: { ...env, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk;
        const up = said.match(/sm is up \(pid \d+, port (\d+)\)/);
        if (!up) return;
        port = Number(up[1]);
        resolve();
      };
      started.stdout.on('data', hear);
      started.stderr.on('data', hear);
      // A crash point may come before it is up: that is a start, too.
      started.once('exit', (code, signal) =>
        signal === 'SIGKILL'
          ? resolve()
          : reject(new Error(`the daemon ended with ${code ?? signal}: ${said}`)),
      );
    });
  }

  function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    // Node gives a body no length by itself where a method seldom has one.
    const length = { 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const req = request(
        {
          socketPath: join(home, 'sm.sock'),
          method,
          path,
          headers: body === undefined ? {} : { 'content-type': 'application/json', ...length },
        },
        async (res) => {
          const chunks: Buffer[] = [];
          for await (const chunk of res) chunks.push(chunk as Buffer);
          const answer = Buffer.concat(chunks).toString('utf8');
          resolve({ status: res.statusCode ?? 0, body: (answer === '' ? {} : JSON.parse(answer)) as T });
        },
      );
      req.on('error', reject);
      req.end(text);
    });
  }

  const client = createClient(transportTo({ socket: join(home, 'sm.sock') }));

  async function untilEvent(
    session: string,
    fits: (event: EventView) => boolean | Promise<boolean>,
    after: number,
  ): Promise<EventView> {
    const seen: EventView[] = [];
    const signal = AbortSignal.timeout(patienceMs);
    for await (const item of client.stream({ session, after, signal })) {
      heedDeath(item);
      if (item.is !== 'event') continue;
      seen.push(item.event);
      if (await fits(item.event)) return item.event;
    }
    throw new Error(
      `an expected event did not happen in time; this did:\n${seen.map((event) => JSON.stringify(event)).join('\n')}`,
    );
  }

  async function untilView(ref: string, fits: (session: SessionView) => boolean): Promise<SessionView> {
    const signal = AbortSignal.timeout(patienceMs);
    let now = await untilKnown(ref, signal);
    if (fits(now)) return now;
    for await (const item of client.stream({ session: ref, views: true, signal })) {
      heedDeath(item);
      if (item.is === 'session') now = item.session;
      // One that was killed is not among those that are told of.
      if (item.is === 'connected') now = item.sessions?.[0] ?? (await session(ref));
      if (fits(now)) return now;
    }
    throw new Error(`the session never became what was waited for: ${JSON.stringify(now)}`);
  }

  /** It may not have been started yet. */
  async function untilKnown(ref: string, signal: AbortSignal): Promise<SessionView> {
    const isIt = ({ id, name, friendly_name }: SessionView) => [id, name, friendly_name].includes(ref);
    const found = await call<SessionView>('GET', `/sessions/${encodeURIComponent(ref)}`);
    if (found.status === 200) return found.body;
    for await (const item of client.stream({ views: true, signal })) {
      heedDeath(item);
      const known = item.is === 'session' ? [item.session] : item.is === 'connected' ? item.sessions : [];
      const it = known?.find(isIt);
      if (it) return it;
    }
    throw new Error(`there never was a session ${ref}`);
  }

  const session = async (ref: string) =>
    (await call<SessionView>('GET', `/sessions/${encodeURIComponent(ref)}`)).body;

  const runSm = (bundles: string, more: Record<string, string>, args: string[]): Promise<Ran> =>
    run(process.execPath, [join(bundles, 'sm.cjs'), ...args], { env: { ...env, ...more }, cwd: work }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  async function death(): Promise<void> {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  options.beforeStart?.(home);
  await start();
  return {
    home,
    work,
    get port() {
      return port;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    call,
    session,
    until: (id, fits, after = 0) => untilEvent(id, fits, after),
    untilSession: untilView,
    async events(id) {
      return (await call<{ events: EventView[] }>('GET', `/events?limit=1000&session=${id}`)).body.events;
    },
    tmux: async (...args) => (await run('tmux', ['-S', join(home, 'tmux.sock'), ...args])).stdout,
    sm: (...args) => runSm(dist, {}, args),
    smWith: (more, ...args) => runSm(dist, more, args),
    smOf: (bundles, ...args) => runSm(bundles, {}, args),
    async crash() {
      child?.kill('SIGKILL');
      await death();
    },
    async stop() {
      child?.kill('SIGTERM');
      await death();
    },
    death,
    start,
    endAgents: () => endAgents(join(home, 'tmux.sock')),
    async dispose() {
      child?.kill('SIGTERM');
      await death();
      await endAgents(join(home, 'tmux.sock'));
      options.beforeRemoval?.(home);
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/**
 * Ends every agent with all that it runs, and then the terminal: who says goodbye leaves something behind. A server
 * that is only told to end waits for its clients to leave, and that of a killed daemon may never do so.
 */
export async function endAgents(socket: string): Promise<void> {
  const server = await run('tmux', ['-S', socket, 'display-message', '-p', '#{pid}']).then(
    ({ stdout }) => Number(stdout),
    () => 0,
  );
  if (server === 0) return;
  killFamily(server);
  if (!(await processEnds(server, null, patienceMs))) throw new Error(`tmux server ${server} does not end`);
}

/** Like a power cut: an agent may be several processes, and one that is left alone would go on for ever. */
export function killFamily(pid: number): void {
  for (const each of familyOf(pid)) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

/** A process and all that came of it, the youngest first: one whose parent dies before it has time to say goodbye. */
function familyOf(pid: number): number[] {
  return [...childrenOf(pid).flatMap(familyOf), pid];
}

/** The agent is the child of the launcher that a pane runs. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`${proc}/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/** Whoever waits over deaths of the daemon starts it again himself. */
function heedDeath(item: LiveItem): void {
  if (item.is === 'away' && item.why !== 'slow')
    throw Object.assign(new Error('the daemon is away'), { code: 'ECONNRESET' });
}

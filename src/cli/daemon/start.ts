// Starts the daemon and waits until it answers. Several of us may do so at once: one daemon gets the lock, the others
// leave, and everybody finds the same socket.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  watch,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '../../protocol/health.ts';
import { foreignVariables } from '../../providers/cards.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { readHealth } from './health.ts';
import { type StatePaths, statePaths } from './paths.ts';
import { installedService, startService } from './service.ts';

const patienceMs = 20_000;
/** In bytes. The output file of daemons is rotated beyond this; one older file is kept. */
const largestOutput = 1024 * 1024;
/** The exit code of a daemon that found another one in its place. */
const lockIsHeld = 75;
/** Saves a fifth of the memory with hundreds of sessions: Node grows its young generation and never shrinks it. */
export const nodeOptions = ['--max-semi-space-size=4'];

export async function startDaemon(io: Io): Promise<Health> {
  const paths = statePaths(io);
  prepare(paths);
  const saidBefore = turnOver(paths.outFile);
  const stop = new AbortController();
  const healthy = untilHealthy(paths, stop.signal);
  const tooLate = delay(patienceMs, 'too late' as const, { signal: stop.signal });
  try {
    const service = installedService(io);
    const served = service && (await startService(io, service, Promise.race([healthy, tooLate])));
    if (served && served !== 'too late') return served;
    for (;;) {
      const child = launch(io, paths);
      const exit = exitOf(child);
      const first = await Promise.race([healthy, exit, tooLate]);
      // Another one won. End ours: it might take the lock later, after the other was told to stop.
      if (typeof first === 'object' && 'pid' in first && first.pid !== child.pid && child.kill()) await exit;
      child.unref();
      if (first === 'too late')
        throw new Failure(`The daemon does not respond. ${lastWords(paths, saidBefore)}`, 2);
      if ('pid' in first) return first;
      if (first.code !== 0 && first.code !== lockIsHeld) {
        throw new Failure(`The daemon did not start. ${lastWords(paths, saidBefore)}`, 2);
      }
      // The holder of the lock is about to answer, or was stopping: then we try again.
      const other = await Promise.race([healthy, delay(500, null, { signal: stop.signal })]);
      if (other) return other;
    }
  } finally {
    stop.abort();
    await Promise.allSettled([healthy, tooLate]);
  }
}

function prepare(paths: StatePaths): void {
  try {
    makeFolder(paths.logs);
  } catch (error) {
    throw new Failure(
      `Cannot create the state directory: ${(error as Error).message}. Set SM_HOME to another one.`,
      2,
    );
  }
}

/** Node's own way to make all of a path never returns where a folder can be seen but not made, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Several of us may do so at once.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Rotates the output file, and answers its length now. A daemon that still runs keeps writing to the old one. */
function turnOver(file: string): number {
  const size = existsSync(file) ? statSync(file).size : 0;
  if (size < largestOutput) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

function launch(io: Io, paths: StatePaths): ChildProcess {
  const program = join(io.programDir, 'daemon.cjs');
  if (!existsSync(program)) throw new Failure(`${program} is missing. Install sm again.`, 2);
  const output = openSync(paths.outFile, 'a', 0o600);
  try {
    return spawn(process.execPath, [...nodeOptions, program], {
      detached: true,
      cwd: '/',
      env: daemonEnvironment(io, paths),
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}

/** The daemon must not keep variables of the terminal or the agent that it is started from. */
const shed = new RegExp(
  `^(${['CLAUDE_SESSION_MANAGER_ID', 'SM_CALLER', 'NODE_CHANNEL_FD', ...foreignVariables].join('|')})$`,
);

export function daemonEnvironment(io: Io, { home }: StatePaths): Record<string, string> {
  const kept = Object.entries(io.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !shed.test(pair[0]),
  );
  const env = Object.fromEntries(kept);
  // It runs in /, where a relative path would mean another place.
  if (io.env.SM_HOME) env.SM_HOME = home;
  if (io.env.SM_CONFIG) env.SM_CONFIG = resolve(io.cwd, io.env.SM_CONFIG);
  return env;
}

function exitOf(child: ChildProcess): Promise<{ code: number | null }> {
  return new Promise((settle, reject) => {
    child.once('exit', (code) => settle({ code }));
    child.once('error', (error) => reject(new Failure(`Cannot run the daemon: ${error.message}`, 2)));
  });
}

/** Tries whenever something changes in the state directory, where the socket will appear, and every now and then. */
async function untilHealthy(paths: StatePaths, signal: AbortSignal): Promise<Health> {
  let wake = () => {};
  const watcher = watch(paths.home, () => wake());
  watcher.on('error', () => {}); // then the clock alone has to do
  signal.addEventListener('abort', () => wake());
  try {
    while (!signal.aborted) {
      const health = await readHealth(paths.socket);
      if (health) return health;
      await new Promise<void>((settle) => {
        const timer = setTimeout(settle, 50);
        wake = () => {
          clearTimeout(timer);
          settle();
        };
      });
    }
    throw signal.reason;
  } finally {
    watcher.close();
  }
}

function lastWords({ outFile, logFile }: StatePaths, from: number): string {
  const said = readFileSync(outFile).subarray(from).toString('utf8').trim();
  if (said === '') return `Its log: ${logFile}`;
  return `It said:\n${said.split('\n').slice(-20).join('\n')}`;
}

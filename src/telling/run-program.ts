// Runs a program of the user's: in a process group of its own that ends with it, for no longer than it may.
import { spawn } from 'node:child_process';
import type { Clock } from '../ports/clock.ts';

export interface ProgramRun {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What it reads. */
  readonly input: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** It has started. */
  readonly started: (pid: number) => void;
}

export interface Ran {
  /** Why it failed; null: it did not. */
  readonly why: string | null;
  /** The first of what it wrote, to whichever of its outputs. */
  readonly output: string;
}

const mostOutput = 8_192;

export function runProgram({
  argv,
  env,
  cwd,
  input,
  seconds,
  signal,
  clock,
  started,
}: ProgramRun): Promise<Ran> {
  const [program = '', ...args] = argv;
  if (signal.aborted) return Promise.resolve({ why: stopped, output: '' });
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, detached: true, stdio: 'pipe' });
    let output = '';
    /** Why we ended it, or how it ended. */
    let why: string | null | undefined;
    const hear = (chunk: string) => {
      output += chunk.slice(0, mostOutput - output.length);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
    // Not everybody reads what he is given.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    if (child.pid !== undefined) started(child.pid);

    const giveUp = (reason: string) => {
      // It has ended, and left something behind that keeps its output open: that is no failure.
      why = why === undefined ? reason : why;
      endGroup(child.pid);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    };
    const onAbort = () => giveUp(stopped);
    signal.addEventListener('abort', onAbort, { once: true });
    const limit = clock.timer(seconds * 1_000, () => giveUp(`it took longer than ${seconds} s`));
    child.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code === 'ENOENT' ? `${program} is not there` : error.message;
    });
    child.on('exit', (code, killer) => {
      if (why === undefined) why = code === 0 ? null : killer ? `killed by ${killer}` : `exit code ${code}`;
      endGroup(child.pid);
    });
    child.on('close', () => {
      limit.cancel();
      signal.removeEventListener('abort', onAbort);
      resolve({ why: why ?? null, output });
    });
  });
}

const stopped = 'the daemon stopped';

/** With all that it has started and that has not left its group. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them are gone.
  }
}

// Runs git: with an argument vector, a time limit, no questions, and nothing of the caller's own GIT_ variables.
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

export interface GitOptions {
  /** The shared git directory, where the command is not about one checkout. */
  readonly repository?: string;
  readonly cwd: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Acts on behalf of the user, with his hooks, as his own git would. Otherwise git only looks or writes what is ours,
   * and runs nothing that a repository names.
   */
  readonly hooks?: boolean;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Exit codes that are an answer, not a failure. */
  readonly fine?: readonly number[];
  /** Of more output than this, the rest is not waited for. */
  readonly mostBytes?: number;
}

export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code: number | null;
  constructor(message: string, code: number | null) {
    super(message);
    this.code = code;
  }
}

const looksMs = 60_000;

/** Repository content can name programs by these; looking must not start them. */
const quiet = ['core.fsmonitor=false', 'core.untrackedCache=false', `core.hooksPath=${devNull}`];

export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  return (await gitBytes(args, options)).toString('utf8');
}

/** Null where git says no. */
export async function gitOr(args: readonly string[], options: GitOptions): Promise<string | null> {
  try {
    return (await git(args, options)).trim();
  } catch (error) {
    if (error instanceof GitError && error.code !== null) return null;
    throw error;
  }
}

/** A directory that is none is told by throwing; everything else that is wrong, later. */
function start(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  try {
    // A group of its own, so that a hook that hangs ends with it.
    return spawn('git', args, { ...options, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    throw new GitError((error as Error).message, null);
  }
}

export function gitBytes(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { repository, cwd, input, env, hooks = false, limitMs = looksMs, signal, fine = [0] } = options;
  const { mostBytes = Number.POSITIVE_INFINITY } = options;
  const config = hooks ? [] : quiet.flatMap((each) => ['-c', each]);
  const where = repository === undefined ? [] : [`--git-dir=${repository}`];
  return new Promise((resolve, reject) => {
    const child = start([...where, ...config, ...args], {
      cwd,
      env: { ...environment(), ...(hooks ? {} : { GIT_OPTIONAL_LOCKS: '0' }), ...env },
    });
    const out: Buffer[] = [];
    let said = '';
    let late: string | null = null;
    const end = (why: string) => {
      late = why;
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => end(`did not end within ${limitMs / 1000} s`), limitMs);
    const abort = () => end('was stopped');
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (size >= mostBytes) return;
      out.push(chunk.subarray(0, mostBytes - size));
      size += chunk.length;
      if (size >= mostBytes && child.pid !== undefined) killGroup(child.pid);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-4_000);
    });
    // A git that needs no more input closes its end.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const done = (error: GitError | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve(Buffer.concat(out));
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      done(new GitError(error.code === 'ENOENT' ? missing(cwd) : error.message, null)),
    );
    child.on('close', (code) => {
      const name = `git ${args[0] === '-c' ? args[2] : args[0]}`;
      if (size >= mostBytes) done(null);
      else if (late !== null) done(new GitError(`${name} ${late}`, null));
      else if (code !== null && fine.includes(code)) done(null);
      else done(new GitError(firstFault(said) || `${name} ended with ${code}`, code));
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const missing = (cwd: string): string => `git could not be started in ${cwd}: is it installed?`;

/** The line that says what is wrong; hints and progress are not for here. */
function firstFault(said: string): string {
  const lines = said.split(/[\r\n]+/).filter(Boolean);
  const fault = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1) ?? '';
  return fault.replace(/^(fatal|error): /, '').trim();
}

/** The user's own, so that his configuration counts; but where it is, what its index is and who asks is not inherited. */
function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !/^(GIT_|SSH_ASKPASS)/.test(pair[0]),
  );
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
  };
}

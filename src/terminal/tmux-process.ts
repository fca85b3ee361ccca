// One tmux process per call, with an argument array: nothing passes through a shell.

import { type ChildProcess, spawn } from 'node:child_process';
import { TerminalFailed, TerminalUnavailable } from './errors.ts';

const TIME_LIMIT_MS = 15_000;
const OLDEST = { major: 3, minor: 2 };

/** The tmux program and the server that we talk to. */
export interface Tmux {
  program: string;
  socketPath: string;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs tmux commands on our server; `;` as a word of its own separates them. Never starts a server. */
export function runTmux(tmux: Tmux, words: readonly string[], input = ''): Promise<Finished> {
  return runProgram(tmux.program, ['-u', '-N', '-S', tmux.socketPath, ...words], input);
}

export function runProgram(program: string, args: readonly string[], input = ''): Promise<Finished> {
  return new Promise((resolve, reject) => {
    // tmux and what it starts must not keep a directory busy, nor think that they run inside another tmux.
    const child = spawn(program, args, {
      cwd: '/',
      env: serverEnvironment(process.env),
      timeout: TIME_LIMIT_MS,
    });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.once('error', (error) => reject(cannotRun(program, error)));
    child.once('close', (code, signal) => {
      if (signal) reject(new TerminalFailed(`${program} ${args.join(' ')} was ended by ${signal}`));
      else resolve({ code, stdout: stdout(), stderr: stderr() });
    });
    // A tmux that refuses early closes its end; its exit code says so better than EPIPE does.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Without what would make tmux believe to be inside another one. */
export function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TMUX(_|$)/.test(name)));
}

export function cannotRun(program: string, error: NodeJS.ErrnoException): TerminalUnavailable {
  return error.code === 'ENOENT'
    ? new TerminalUnavailable(
        `${program} was not found: install tmux ${OLDEST.major}.${OLDEST.minor} or newer`,
      )
    : new TerminalUnavailable(`Cannot run ${program}: ${error.message}`);
}

/** Fails with what to do about it when this tmux is missing or too old. */
export async function requireUsableTmux(program: string): Promise<void> {
  const { stdout } = await runProgram(program, ['-V']);
  if (isUsableVersion(stdout)) return;
  throw new TerminalUnavailable(
    `${program} is ${stdout.trim() || 'an unknown version'}: install tmux ${OLDEST.major}.${OLDEST.minor} or newer`,
  );
}

/** Takes `tmux 3.3a`, `tmux next-3.6`, and the unnumbered builds (`tmux master`, `tmux openbsd-7.4`) as new. */
export function isUsableVersion(answer: string): boolean {
  const numbered = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(answer);
  if (!numbered) return /^tmux (master|openbsd-)/.test(answer);
  const [major, minor] = [Number(numbered[1]), Number(numbered[2])];
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

/** True for tmux's ways to say that nothing listens on the socket; refused access, for one, is not among them. */
export function saysNoServer(text: string): boolean {
  return /no server running|\(No such file or directory\)|\(Connection refused\)|server exited|lost server/.test(
    text,
  );
}

function collect(stream: NonNullable<ChildProcess['stdout']>): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

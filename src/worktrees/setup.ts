// The set-up script of a repository (`.sm/worktree-setup`). It runs with the user's rights, so it runs only if the user has
// allowed exactly these bytes: what is hashed is what is run.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { Making, SetupScript } from '../ports/worktrees.ts';
import { git, gitBytes } from './git.ts';
import { endLeftovers, markOf } from './leftovers.ts';

export const scriptPath = '.sm/worktree-setup';
const setupMs = 60 * 60_000;
/** Of one that talks without an end, the rest is not kept. */
const mostOutput = 1024 * 1024;

/** As it is in a commit; null: there is none. */
export async function scriptIn(cwd: string, commit: string): Promise<SetupScript | null> {
  const entry = await git(['ls-tree', '-z', commit, '--', `:/${scriptPath}`], { cwd });
  const [, kind, blob] = /^(\d+) blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  // A link would name something that the commit does not hold.
  if (blob === undefined || kind === '120000') return null;
  const bytes = await gitBytes(['cat-file', 'blob', blob], { cwd });
  return { text: bytes.toString('utf8'), hash: hashOf(bytes) };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What the user has allowed, a line each. */
export function allowedScripts(file: string) {
  return {
    async has(hash: string): Promise<boolean> {
      const lines = await readFile(file, 'utf8').catch(() => '');
      return lines.split('\n').some((line) => line.split(' ', 1)[0] === hash);
    },
    async add(hash: string, at: string): Promise<void> {
      await appendFile(file, `${hash} ${at}\n`, { mode: 0o600 });
    },
  };
}

export async function runSetup(
  worktree: Worktree,
  id: string,
  { tell, signal, env }: Making,
  programs: string,
): Promise<void> {
  const { setup, path, base, source } = worktree;
  if (!setup) return;
  const bytes = await gitBytes(['cat-file', 'blob', `${base.commit}:${scriptPath}`], { cwd: path });
  if (hashOf(bytes) !== setup.hash) throw new Error(`${scriptPath} is not what was allowed`);
  // One of a daemon that died may still run.
  await endLeftovers(id);
  const program = join(programs, setup.hash);
  await mkdir(dirname(program), { recursive: true, mode: 0o700 });
  await writeFile(program, bytes, { mode: 0o700 });
  await tell.output(`Running ${scriptPath}`);
  const argv = bytes.subarray(0, 2).toString() === '#!' ? [program] : ['/bin/sh', program];
  const child = spawn(argv[0] as string, argv.slice(1), {
    cwd: path,
    env: { ...env, ...markOf(id), SM_SOURCE: source },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const why = await ended(child, signal, tell.output);
  if (why !== null) throw new Error(`${scriptPath} ${why}. The history of session ${id} has what it said.`);
}

/** Why it did not do its work; null: it did. */
function ended(
  child: ChildProcess,
  signal: AbortSignal,
  say: (text: string) => Promise<void>,
): Promise<string | null> {
  return new Promise((resolve) => {
    let stopped: string | null = null;
    const stop = (why: string) => {
      stopped ??= why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => stop(`did not end within ${setupMs / 60_000} minutes`), setupMs);
    const abort = () => stop('was stopped');
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    const output = sayLines(say);
    child.stdout?.on('data', output.add);
    child.stderr?.on('data', output.add);
    const done = async (why: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      await output.end();
      resolve(stopped ?? why);
    };
    child.once('error', (error) => void done(`could not be started: ${error.message}`));
    // What it left running in the background may hold the pipe, and is not waited for.
    child.once('exit', (code, by) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      void done(code === 0 ? null : by ? `was killed by ${by}` : `ended with ${code}`);
    });
  });
}

/** Whole lines, and as many at once as have come since the last were told. */
function sayLines(say: (text: string) => Promise<void>) {
  let waiting = '';
  let told = 0;
  let telling: Promise<void> | null = null;
  const take = (whole: boolean): string => {
    const upTo = whole ? waiting.length : waiting.lastIndexOf('\n') + 1;
    const text = waiting.slice(0, upTo).slice(0, 16_384);
    waiting = waiting.slice(text.length);
    return text.trimEnd();
  };
  const flush = (whole: boolean): Promise<void> => {
    telling ??= (async () => {
      for (let text = take(whole); text !== ''; text = take(whole)) await say(text);
    })().finally(() => (telling = null));
    return telling;
  };
  return {
    add(chunk: Buffer) {
      if (told < mostOutput) waiting += chunk.toString('utf8');
      told += chunk.length;
      void flush(false);
    },
    async end() {
      await flush(false);
      await flush(true);
    },
  };
}

// Asks agents for their versions. An agent is asked once for as long as its program stays the same, and whoever starts
// it does not wait long for the answer.
import { spawn } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Clock } from '../ports/clock.ts';

/** A program that takes longer is ended: it does not know the question. */
const answerLimit = 10_000;
/** Claude Code and Codex answer in 10 to 200 ms. */
const patience = 1_000;

export interface Versions {
  /** Null: it did not say, or not soon. Never rejects. */
  of(command: readonly string[], env: Readonly<Record<string, string>>): Promise<string | null>;
}

export function createVersions(clock: Clock, ask = askVersion): Versions {
  const known = new Map<string, { readonly files: string; readonly version: Promise<string | null> }>();

  async function once(command: readonly string[], env: Readonly<Record<string, string>>) {
    const key = JSON.stringify(command);
    const files = await stateOf(command);
    const before = known.get(key);
    if (before?.files === files) return before.version;
    const version = ask(command, env);
    known.set(key, { files, version });
    return version;
  }

  return {
    of: (command, env) =>
      new Promise((resolve) => {
        const timer = clock.timer(patience, () => resolve(null));
        void once(command, env)
          .catch(() => null)
          .then((version) => {
            timer.cancel();
            resolve(version);
          });
      }),
  };
}

/** What changes when one of its files is replaced. */
async function stateOf(command: readonly string[]): Promise<string> {
  const files = command.filter(isAbsolute).map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return [await realpath(path), size, mtimeMs];
  });
  return JSON.stringify(await Promise.all(files.map((file) => file.catch(() => null))));
}

/** Asks it now. Null: it did not say. */
export function askVersion(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  limit = answerLimit,
): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, args, {
      // What it starts can then be ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      // Whatever it does, it does not do it as one of our sessions.
      env: { ...env, CLAUDE_SESSION_MANAGER_ID: undefined, DISABLE_AUTOUPDATER: '1' },
    });
    const giveUp = () => {
      child.stdout.destroy();
      killGroup(child.pid);
      resolve(null);
    };
    const timer = setTimeout(giveUp, limit);
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(0, 1_000);
    });
    child.on('error', () => resolve(null));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? (said.match(/\d+\.\d+\.\d+\S*/)?.[0] ?? null) : null);
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

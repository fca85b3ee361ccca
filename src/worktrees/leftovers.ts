// Processes that a daemon began and did not live to see the end of. A mark in their environment says whose they are:
// whoever else is in the same place is left alone.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

const variable = 'SM_WORKTREE_OF';

export const markOf = (id: string): Readonly<Record<string, string>> => ({ [variable]: id });

/** Returns when there is none any more. */
export async function endLeftovers(id: string): Promise<void> {
  for (;;) {
    const pids = await marked(`${variable}=${id}`);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }
}

/** The same, but they are left to do their work. */
export async function leftoversEnd(id: string): Promise<void> {
  while ((await marked(`${variable}=${id}`)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function marked(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return fromPs(mark);
  const pids = (await readdir('/proc')).filter((each) => /^\d+$/.test(each));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(mark) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function fromPs(mark: string): Promise<number[]> {
  return new Promise((resolve) => {
    const limits = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
    execFile('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], limits, (_, out) =>
      resolve(
        out
          .split('\n')
          .filter((line) => line.split(' ').includes(mark))
          .map((line) => Number.parseInt(line, 10)),
      ),
    );
  });
}

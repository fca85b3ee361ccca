// A pid alone names a process only for a while; with its start time it does for ever.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** When the process started, in the system's own words, or null when it is gone (a zombie is). */
export async function processStartTime(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Waits for the process to end, and says whether it did. A pid of which no start time is known proves nothing. */
export async function processEnds(pid: number, startedAt: string | null, graceMs: number): Promise<boolean> {
  const isThere = async () => {
    const started = await processStartTime(pid);
    return started !== null && (startedAt === null || started === startedAt);
  };
  // The system tells nobody but the parent when a process ends: ask, and less and less often.
  for (let waited = 0, pause = 5; waited < graceMs; waited += pause, pause = Math.min(pause * 2, 100)) {
    if (!(await isThere())) return true;
    await delay(pause);
  }
  return !(await isThere());
}

/** Waits for the process to end, and ends it by force when the grace period is over. */
export async function endProcess(
  { pid, startedAt }: { pid: number; startedAt: string | null },
  graceMs: number,
): Promise<void> {
  if (startedAt === null) return; // which process it was is not known, so none is killed
  if (!(await processEnds(pid, startedAt, graceMs))) process.kill(pid, 'SIGKILL');
}

async function fromProc(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field, the program's name in parentheses, may contain anything. After it comes the third: state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[22 - 3]];
  return state === 'Z' || state === 'X' ? null : (startTime ?? null);
}

async function fromPs(pid: number): Promise<string | null> {
  const ps = promisify(execFile)('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  const answer = await ps.then(({ stdout }) => stdout.trim()).catch(() => '');
  const [, state, started] = /^(\S+)\s+(.+)$/.exec(answer) ?? [];
  return started === undefined || state?.startsWith('Z') ? null : started;
}

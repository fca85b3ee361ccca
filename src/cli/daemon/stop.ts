// Stops a daemon in order, and waits until it is gone. The agents go on.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '../../protocol/health.ts';
import { Failure } from '../failure.ts';

const patienceMs = 20_000;

export async function stopDaemon({ pid }: Health): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 1)
    throw new Failure(`The daemon reports an invalid process id: ${pid}`);
  stop(pid);
  await untilGone(pid);
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new Failure(`Cannot stop the daemon (pid ${pid}): ${(error as Error).message}`);
  }
}

/** The system tells nobody but the parent when a process ends: ask, and less and less often. */
async function untilGone(pid: number): Promise<void> {
  for (let waited = 0, pause = 5; waited < patienceMs; waited += pause, pause = Math.min(pause * 2, 100)) {
    if (!isAlive(pid)) return;
    await delay(pause);
  }
  throw new Failure(`The daemon (pid ${pid}) was told to stop but still runs. See: sm logs`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A process that has ended stays in the list until its parent has looked.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return process.platform !== 'linux';
  }
}

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { readHealth } from '../health.ts';
import { statePaths } from '../paths.ts';

const patienceMs = 20_000;

export default defineCommand({
  usage: '',
  about: 'Stops the daemon. The agents go on; what they tell is kept until it is back.',
  options: {},
  arity: [0, 0],
  async run({ io }) {
    const health = await readHealth(statePaths(io).socket);
    if (!health) return io.out('sm is not running.\n');
    const { pid } = health;
    if (!Number.isInteger(pid) || pid <= 1)
      throw new Failure(`The daemon does not say which process it is: ${pid}`);
    stop(pid);
    await untilGone(pid);
    io.out('sm has stopped. The agents go on running; any command finds them again.\n');
  },
});

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new Failure(`The daemon (pid ${pid}) cannot be stopped: ${(error as Error).message}`);
  }
}

/** The system tells nobody but the parent when a process ends: ask, and less and less often. */
async function untilGone(pid: number): Promise<void> {
  for (let waited = 0, pause = 5; waited < patienceMs; waited += pause, pause = Math.min(pause * 2, 100)) {
    if (!isAlive(pid)) return;
    await delay(pause);
  }
  throw new Failure(`The daemon (pid ${pid}) has been told to stop, and has not yet. See: sm logs`);
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

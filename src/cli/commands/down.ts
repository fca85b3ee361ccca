import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { readHealth } from '../health.ts';
import type { Io } from '../io.ts';
import { statePaths } from '../paths.ts';

const patienceMs = 20_000;

export default defineCommand({
  usage: '',
  about:
    'Stops the daemon. The agents go on; what they tell is kept until it is back. Without any, our tmux ends as well.',
  options: {},
  arity: [0, 0],
  async run({ io }) {
    const health = await readHealth(statePaths(io).socket);
    if (health) {
      const { pid } = health;
      if (!Number.isInteger(pid) || pid <= 1)
        throw new Failure(`The daemon does not say which process it is: ${pid}`);
      stop(pid);
      await untilGone(pid);
    }
    // Nobody can start an agent any more, so that what is empty now stays empty.
    const agents = await endEmptyTerminal(io);
    const state = health ? 'sm has stopped.' : 'sm is not running.';
    io.out(`${state}${goOn(agents)}\n`);
  },
});

function goOn(agents: number): string {
  if (agents === 0) return '';
  return agents === 1
    ? ' One agent goes on running; any command finds it again.'
    : ` ${agents} agents go on running; any command finds them again.`;
}

/** Our tmux server is kept alive by a session of ours: without any other there is nothing to keep. Answers how many. */
async function endEmptyTerminal(io: Io): Promise<number> {
  const tmux = (...args: string[]) => io.outputOf('tmux', ['-S', statePaths(io).tmuxSocket, ...args]);
  const listed = await tmux('list-sessions', '-F', '#{session_name}');
  const others = (listed ?? '').split('\n').filter((name) => name !== '' && name !== 'sm-anchor');
  // Asked and done in one step: whoever opens a session there meanwhile keeps it.
  if (listed !== null && others.length === 0) await tmux('if-shell', '-F', '#{==:#{S:x},x}', 'kill-server');
  return others.length;
}

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

// The few places in the state directory that the command line needs; the daemon resolves them in the same way.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';

export interface StatePaths {
  readonly home: string;
  readonly socket: string;
  readonly tmuxSocket: string;
  readonly logs: string;
  readonly logFile: string;
  /** What the daemon says before it has its log, or in spite of it. */
  readonly outFile: string;
}

export function statePaths({ env, cwd }: Pick<Io, 'env' | 'cwd'>): StatePaths {
  const stateRoot = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const home = resolve(cwd, env.SM_HOME || join(stateRoot, 'sm'));
  const logs = join(home, 'logs');
  return {
    home,
    socket: join(home, 'sm.sock'),
    tmuxSocket: join(home, 'tmux.sock'),
    logs,
    logFile: join(logs, 'daemon.log'),
    outFile: join(logs, 'daemon.out'),
  };
}

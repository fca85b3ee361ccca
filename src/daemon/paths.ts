// Where things are. Everything that is ours lies in one state directory that only its owner can enter.
import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Paths {
  readonly home: string;
  readonly database: string;
  readonly lock: string;
  readonly socket: string;
  readonly token: string;
  readonly tmuxSocket: string;
  readonly terminal: string;
  readonly spool: string;
  readonly sessions: string;
  /** Texts that a terminal cannot carry, a file for each message. */
  readonly messages: string;
  /** Copies of what was handed over, a folder for each session. */
  readonly handoffs: string;
  readonly logs: string;
  readonly logFile: string;
  /** A folder with the `sm` that agents find on their PATH. */
  readonly bin: string;
  readonly config: string;
  /** What was installed: the bundles and the hook programs. */
  readonly dist: string;
  readonly hooks: string;
  /** Copies of the hook programs, for hooks in the user's own settings. */
  readonly installedHooks: string;
}

/** A unix socket's path must fit into the address that the system has for it. */
const longestSocketPath = 103;

export function resolvePaths(env: NodeJS.ProcessEnv, dist: string): Paths {
  const home = resolve(env.SM_HOME || join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'sm'));
  const logs = join(home, 'logs');
  return {
    home,
    database: join(home, 'sm.db'),
    lock: join(home, 'lock.db'),
    socket: join(home, 'sm.sock'),
    token: join(home, 'token'),
    tmuxSocket: join(home, 'tmux.sock'),
    terminal: join(home, 'terminal'),
    spool: join(home, 'spool'),
    sessions: join(home, 'sessions'),
    messages: join(home, 'messages'),
    handoffs: join(home, 'handoffs'),
    logs,
    logFile: join(logs, 'daemon.log'),
    bin: join(home, 'bin'),
    config: resolve(
      env.SM_CONFIG || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'sm', 'config.yaml'),
    ),
    dist,
    hooks: join(dist, '..', 'hooks'),
    installedHooks: join(home, 'hooks'),
  };
}

export function prepareState(paths: Paths): void {
  if (Buffer.byteLength(paths.tmuxSocket) > longestSocketPath) {
    throw new Error(
      `The state directory ${paths.home} has too long a path for a socket (at most ${longestSocketPath - '/tmux.sock'.length} bytes). Set SM_HOME to a shorter one.`,
    );
  }
  for (const folder of [paths.home, paths.spool, paths.sessions, paths.handoffs, paths.logs, paths.bin]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  chmodSync(paths.home, 0o700);
}

// Where things are. Everything that is ours lies in one state directory that only its owner can enter.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Paths {
  readonly home: string;
  readonly database: string;
  /** What the history is searched with; made from the database. */
  readonly searchIndex: string;
  readonly lock: string;
  readonly socket: string;
  readonly token: string;
  /** What the keys of the sessions are derived from. */
  readonly secret: string;
  /** Browsers that are signed in. */
  readonly devices: string;
  /** What our pushes are signed with. */
  readonly pushKeys: string;
  /** Rules for permissions that sm has written. */
  readonly policies: string;
  /** There while some rule denies something: then hooks ask before every call of a tool. */
  readonly denials: string;
  /** A folder for each session in a sandbox, with its own door. */
  readonly doors: string;
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
  /** SM_CONFIG names it, so it has to be there. */
  readonly configGiven: boolean;
  /** What was installed: the bundles and the hook programs. */
  readonly dist: string;
  readonly hooks: string;
  /** Copies of the hook programs, for hooks in the user's own settings. */
  readonly installedHooks: string;
  /** What was changed outside of the state directory. */
  readonly ledger: string;
}

/** A unix socket's path must fit into the address that the system has for it. */
const longestSocketPath = 103;

export function resolvePaths(env: NodeJS.ProcessEnv, dist: string): Paths {
  const home = resolve(env.SM_HOME || join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'sm'));
  const logs = join(home, 'logs');
  return {
    home,
    database: join(home, 'sm.db'),
    searchIndex: join(home, 'search.db'),
    lock: join(home, 'lock.db'),
    socket: join(home, 'sm.sock'),
    token: join(home, 'token'),
    secret: join(home, 'secret'),
    devices: join(home, 'devices.json'),
    pushKeys: join(home, 'push-keys.json'),
    policies: join(home, 'policies.yaml'),
    denials: join(home, 'denials'),
    doors: join(home, 'doors'),
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
    configGiven: Boolean(env.SM_CONFIG),
    dist,
    hooks: join(dist, '..', 'hooks'),
    installedHooks: join(home, 'hooks'),
    ledger: join(home, 'setup.json'),
  };
}

/** Why the state directory cannot be used, and what to do; null where nothing stands against it. */
export function faultOfHome({ home, tmuxSocket }: Pick<Paths, 'home' | 'tmuxSocket'>): {
  readonly what: string;
  readonly advice: string;
} | null {
  if (Buffer.byteLength(tmuxSocket) > longestSocketPath) {
    const most = longestSocketPath - '/tmux.sock'.length;
    return {
      what: `${home} has too long a path for a socket (at most ${most} bytes)`,
      advice: 'Set SM_HOME to a shorter path.',
    };
  }
  const there = nearestThere(home);
  if (!statSync(there).isDirectory())
    return { what: `${there} is not a directory`, advice: 'Set SM_HOME to another place.' };
  const trial = tried(there);
  if (trial === 'kept to us') return null;
  if (trial === 'open to all')
    return {
      what: `${there} is on a file system that keeps no permissions, so that everybody could enter ${home}`,
      advice: 'Set SM_HOME to a directory on a disk of this system (under WSL: not below /mnt).',
    };
  return {
    what: there === home ? `${home} cannot be written` : `${home} cannot be made: ${there} cannot be written`,
    advice: 'Set SM_HOME to a directory of your own.',
  };
}

/** Tried, because what the permissions say is not all: a file system may be read-only, full, or no real one. */
function tried(folder: string): 'kept to us' | 'open to all' | 'refused' {
  try {
    const trial = mkdtempSync(join(folder, '.sm-'));
    const { mode } = statSync(trial);
    rmdirSync(trial);
    return (mode & 0o077) === 0 ? 'kept to us' : 'open to all';
  } catch {
    return 'refused';
  }
}

/** The path itself, or so much of it as is there. */
function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

/** What tells everything that we start where the configuration is: one that is not there cannot be named. */
export const configVariable = ({ config, configGiven }: Paths): { readonly SM_CONFIG?: string } =>
  configGiven || existsSync(config) ? { SM_CONFIG: config } : {};

export function prepareState(paths: Paths): void {
  const fault = faultOfHome(paths);
  if (fault) throw new Error(`Cannot use the state directory: ${fault.what}. ${fault.advice}`);
  for (const folder of [paths.home, paths.spool, paths.sessions, paths.handoffs, paths.logs, paths.bin]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  chmodSync(paths.home, 0o700);
}

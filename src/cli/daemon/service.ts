// The service that `sm setup` installs. Where it is there, the daemon is started by it: so it is looked after, and a
// logout does not end it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { statePaths } from './paths.ts';

export interface Service {
  readonly name: string;
  /** What the service manager reads. */
  readonly file: string;
  /** The command that starts it. */
  readonly start: readonly string[];
}

/** Null: sm knows no service manager of this system. */
export function serviceOf(io: Pick<Io, 'env' | 'cwd'>, platform: NodeJS.Platform): Service | null {
  const { env } = io;
  const home = env.HOME || homedir();
  // Another state directory is another service.
  const other = env.SM_HOME
    ? `-${createHash('sha256').update(statePaths(io).home).digest('hex').slice(0, 8)}`
    : '';
  if (platform === 'linux') {
    const name = `sm${other}.service`;
    const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', name);
    return { name, file, start: ['systemctl', '--user', 'start', name] };
  }
  if (platform === 'darwin') {
    const name = `sm.daemon${other}`;
    const file = join(home, 'Library', 'LaunchAgents', `${name}.plist`);
    return { name, file, start: ['launchctl', 'kickstart', `gui/${process.getuid?.()}/${name}`] };
  }
  return null;
}

/** The command that starts the daemon by its service, where that is installed. */
export function startOfService(io: Io): readonly string[] | null {
  const service = serviceOf(io, process.platform);
  return service && existsSync(service.file) ? service.start : null;
}

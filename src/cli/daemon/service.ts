// The service that `sm setup` installs. Where it is there, the daemon is started by it: so it is looked after, and a
// logout does not end it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../io.ts';
import { statePaths } from './paths.ts';

export interface Service {
  readonly name: string;
  /** What the service manager reads. */
  readonly file: string;
  /** The command that starts it. */
  readonly start: readonly string[];
  /** The command that succeeds as long as it runs. */
  readonly isActive: readonly string[];
}

/** Null: sm knows no service manager of this system. */
export function serviceOf(io: Pick<Io, 'env' | 'cwd'>, platform: NodeJS.Platform): Service | null {
  const { env, cwd } = io;
  const home = env.HOME || homedir();
  // Another state directory is another service. Shells inside of sessions name theirs, even if it is the usual one.
  const state = statePaths(io).home;
  const usual = statePaths({ env: { ...env, SM_HOME: undefined }, cwd }).home;
  const other = state === usual ? '' : `-${createHash('sha256').update(state).digest('hex').slice(0, 8)}`;
  if (platform === 'linux') {
    const name = `sm${other}.service`;
    const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', name);
    const systemctl = (...args: string[]) => ['systemctl', '--user', ...args, name];
    return { name, file, start: systemctl('start'), isActive: systemctl('--quiet', 'is-active') };
  }
  if (platform === 'darwin') {
    const name = `sm.daemon${other}`;
    const file = join(home, 'Library', 'LaunchAgents', `${name}.plist`);
    const target = `gui/${process.getuid?.()}/${name}`;
    const isActive = ['sh', '-c', 'launchctl print "$0" | grep -q "state = running"', target];
    return { name, file, start: ['launchctl', 'kickstart', target], isActive };
  }
  return null;
}

export function installedService(io: Io): Service | null {
  const service = serviceOf(io, process.platform);
  return service && existsSync(service.file) ? service : null;
}

/** Until its daemon answers. Null: the service manager cannot start it, or it has ended, so that it is left to us. */
export async function startService<Answer>(
  io: Io,
  { start, isActive }: Service,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  const succeeds = async ([program = '', ...args]: readonly string[]) =>
    (await io.outputOf(program, args)) !== null;
  for (let runs = await succeeds(start); runs; runs = await succeeds(isActive)) {
    const pause = new AbortController();
    const answered = await Promise.race([answer, delay(100, null, { signal: pause.signal })]);
    pause.abort();
    if (answered !== null) return answered;
  }
  return null;
}

// What the torture has in its hands and a test has not: a small disk for the state directory, a clock that it moves, and
// the programs that agents run at their hooks. Whatever needs more than this machine gives is left out, and said.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookWrapper } from './hook-wrapper.ts';

const project = join(import.meta.dirname, '../..');
/** Where Debian keeps it, on whatever processor. */
const preload = readdirSync('/usr/lib')
  .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
  .find(existsSync);
const diskMegabytes = 256;

export interface Machine {
  /** The bundles that run in place of those of this checkout. */
  readonly dist: string;
  /** For the daemon, and for all that agents run. */
  readonly env: Readonly<Record<string, string>>;
  /** What this machine cannot do. */
  readonly missing: readonly string[];
  /** Makes a path a small disk; false: it cannot. */
  mount(path: string): boolean;
  unmount(path: string): void;
  /** Moves the clock of everybody to so many seconds from the true time; false: it cannot. */
  moveClock(seconds: number): boolean;
  /** What hooks do from now on; null: as they should. */
  setMood(mood: string | null): void;
  close(): void;
}

export function prepareMachine(root: string): Machine {
  const program = join(root, 'program');
  mkdirSync(program);
  cpSync(join(project, 'dist'), join(program, 'dist'), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(program, 'node_modules'));
  cpSync(join(project, 'package.json'), join(program, 'package.json'));
  cpSync(join(project, 'hooks'), join(program, 'hooks'), { recursive: true });
  const mood = join(root, 'mood');
  hookWrapper(join(program, 'hooks'), mood);

  const clockFile = join(root, 'clock');
  writeFileSync(clockFile, '+0\n');
  const hasClock = preload !== undefined;
  // What all of them share lives as long as its maker, and must outlive every daemon.
  const keeper = hasClock
    ? spawn('sleep', ['infinity'], { env: clockEnv(clockFile), stdio: 'ignore' })
    : null;
  const shared = keeper ? { FAKETIME_SHARED: `/faketime_sem_${keeper.pid} /faketime_shm_${keeper.pid}` } : {};
  const isRoot = process.getuid?.() === 0;

  return {
    dist: join(program, 'dist'),
    env: hasClock ? { ...clockEnv(clockFile), ...shared } : {},
    missing: [
      ...(isRoot ? [] : ['the disk is not filled: only root can mount a small one']),
      ...(hasClock ? [] : ['the clock is not moved: libfaketime is not installed']),
    ],
    mount(path) {
      if (!isRoot) return false;
      mkdirSync(path, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=700`, 'sm-torture', path]);
      return true;
    },
    unmount(path) {
      if (isRoot) execFileSync('umount', ['-l', path]);
    },
    moveClock(seconds) {
      if (hasClock) writeFileSync(clockFile, `${seconds < 0 ? seconds : `+${seconds}`}\n`);
      return hasClock;
    },
    setMood(text) {
      if (text === null) rmSync(mood, { force: true });
      else writeFileSync(mood, `${text}\n`);
    },
    close() {
      keeper?.kill('SIGKILL');
      if (keeper) forgetClocks(keeper.pid ?? 0);
    },
  };
}

const clockEnv = (file: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  LD_PRELOAD: preload ?? '',
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  // What has really passed is told truly: only what the wall clock says is moved.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
});

function forgetClocks(pid: number): void {
  for (const name of readdirSync('/dev/shm'))
    if (name.endsWith(`faketime_sem_${pid}`) || name.endsWith(`faketime_shm_${pid}`))
      rmSync(join('/dev/shm', name), { force: true });
}

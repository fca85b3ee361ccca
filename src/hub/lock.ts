// One at a time, among processes of one machine.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const pause = 5;

/** Does it while nobody else does. Whoever died with the lock has it no longer. */
export function exclusively<T>(file: string, work: () => T): T {
  while (!taken(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function taken(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (!isHeld(file)) rmSync(file, { force: true });
  return false;
}

function isHeld(file: string): boolean {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    // Just made, and its number not written yet.
    if (holder === 0) return true;
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

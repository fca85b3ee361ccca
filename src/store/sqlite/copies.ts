// Copies of a database while it is used: consistent, for their owner alone, and there whole or not at all.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreUnusable } from '../../ports/store.ts';

/** As much of a connection as it takes. */
interface Source {
  prepare(sql: string): { run(file: string): unknown };
}

/** Makes a copy under a name of its own, beside the file, and lets `place` give it its name. Answers as that does. */
export function copyTo<T>(db: Source, file: string, place: (part: string) => T): T {
  const part = `${file}.${process.pid}-${randomUUID()}.part`;
  closeSync(openSync(part, 'wx', 0o600));
  try {
    db.prepare('VACUUM INTO ?').run(part);
    flush(part);
    return place(part);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Unlike a rename it does not take the place of a file that is there. Some disks, a memory stick perhaps, have no links. */
export function giveName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(name)) throw error;
    renameSync(file, name);
  }
}

/** SQLite does not wait for the disk with such a copy. */
export function flush(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export const copyName = (file: string, version: number): string => `${file}.schema-${version}`;

/** Before a migration: the way back, until the next one. */
export function keepCopy(db: Source, file: string, version: number): void {
  const kept = copyName(file, version);
  try {
    copyTo(db, kept, (part) => renameSync(part, kept));
  } catch (error) {
    throw new StoreUnusable(
      `${file} has to be brought up to date, and the copy that is kept before that could not be made: ${(error as Error).message}. Nothing was changed. Free some space and try again.`,
      { cause: error },
    );
  }
  const mine = basename(kept);
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(`${basename(file)}.schema-`) && name !== mine && !isBeingMade(name))
      rmSync(join(dirname(file), name), { force: true });
}

/** Another program may migrate in the same moment. What one that was killed has left is nobody's. */
function isBeingMade(name: string): boolean {
  const [, pid] = /\.(\d+)-[\da-f-]{36}\.part$/.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

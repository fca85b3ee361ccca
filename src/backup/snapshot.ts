// A copy of the database as it is at one moment, at a pace that leaves the disk to others: who writes a great deal at once
// keeps everybody waiting who wants a little on the disk.
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';

const atATime = 512 * 1024;
const pause = 10;
const patience = 5_000;

/** `part` is there, and empty. */
export async function copySnapshot(database: string, part: string): Promise<void> {
  const db = new DatabaseSync(database, { timeout: patience });
  const opened: FileHandle[] = [];
  try {
    // While somebody reads, nothing newer is written back to the file, and the log keeps all that it has. So the two of
    // them, read in this order, are what was there; whatever of the log is not whole does not count. Only what is there
    // now is copied: a log that grows faster than it is copied would have no end.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    opened.push(await open(database, 'r'));
    const log = await open(`${database}-wal`, 'r').catch(() => null);
    if (log) opened.push(log);
    const logged = (await log?.stat())?.size ?? 0;
    const stored = (await (opened[0] as FileHandle).stat()).size;
    await copyGently(opened[0] as FileHandle, stored, part, 'r+');
    if (log) await copyGently(log, logged, `${part}-wal`, 'wx');
  } finally {
    db.close();
    // Not before: to close a file lets go of all locks that this process has on it, also of SQLite's.
    for (const file of opened) await file.close();
  }
  const copy = new DatabaseSync(part);
  try {
    copy.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

async function copyGently(source: FileHandle, size: number, to: string, flags: string): Promise<void> {
  const target = await open(to, flags, 0o600);
  try {
    const chunk = Buffer.allocUnsafe(atATime);
    for (let place = 0; place < size; ) {
      const { bytesRead } = await source.read(chunk, 0, Math.min(atATime, size - place), place);
      if (bytesRead === 0) return;
      await target.write(chunk, 0, bytesRead, place);
      await target.datasync();
      place += bytesRead;
      await delay(pause);
    }
  } finally {
    await target.close();
  }
}

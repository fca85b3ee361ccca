// The one file that knows the driver. Opens a database file the way that we need it, and brings it up to date.
import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreError, StoreUnusable } from '../../ports/store.ts';
import { copyName, keepCopy } from './copies.ts';

export type Database = InstanceType<typeof DatabaseSync>;

/** Up to 3.51.2 a reset of the write-ahead log could corrupt the database. */
const oldestSound = [3, 51, 3] as const;
/** How long to wait for a lock, in ms: everything waits with us, so once we run an answer "busy" is better. */
const patience = { atStart: 5_000, later: 200 };

/** What grows beyond that, because somebody read for long, is cut when the log starts again. In bytes. */
const largestLog = 4 * 1024 * 1024;

/** Opens the file and lets `prepare` find out whether it holds what we need; whatever fails, the file is let go. */
export function openDatabase<T>(
  path: string,
  migrations: readonly string[],
  prepare: (db: Database) => T,
): { db: Database; sql: T } {
  let db: Database | undefined;
  try {
    if (path !== ':memory:' && existsSync(path)) inspect(path, migrations.length);
    db = new DatabaseSync(path, { timeout: patience.atStart });
    if (path !== ':memory:') chmodSync(path, 0o600);
    checkVersion(db);
    // Before the first table is made: of a database that has some, only VACUUM changes it.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${largestLog}`,
    );
    const version = versionOf(db);
    if (version > 0 && version < migrations.length) keepCopy(db, path, version);
    migrate(db, migrations);
    letItShrink(db);
    db.exec(`PRAGMA busy_timeout = ${patience.later}`);
    return { db, sql: prepare(db) };
  } catch (error) {
    db?.close();
    throw toUnusable(path, error);
  }
}

/** On a connection that cannot write, so that what is newer or damaged stays as it is, byte for byte. */
function inspect(path: string, known: number): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: patience.atStart });
  try {
    const version = versionOf(db);
    if (version > known) {
      const copy = copyName(path, known);
      const wayBack = existsSync(copy)
        ? `, or go back to what was before with: sm restore-backup ${copy}`
        : '';
      throw new StoreUnusable(
        `${path} was written by a newer version of sm (schema ${version}, this one knows ${known}). Nothing was changed. Update sm${wayBack}.`,
      );
    }
    // Some 2 ms per megabyte; writing into a damaged file would cost more.
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (found !== 'ok') throw damaged(path, found);
  } finally {
    db.close();
  }
}

function toUnusable(path: string, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const { message } = error as Error;
  if (corruption.includes(codeOf(error))) return damaged(path, message, error);
  return new StoreUnusable(`${path} cannot be used: ${message}`, { cause: error });
}

function damaged(path: string, what: string, cause?: unknown): StoreUnusable {
  return new StoreUnusable(
    `${path} is damaged (${what}). Nothing was changed. Put a backup in its place, or move it away to start empty.`,
    { cause },
  );
}

const versionOf = (db: Database): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

function checkVersion(db: Database): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  const parts = version.split('.').map(Number);
  for (const [i, oldest] of oldestSound.entries()) {
    if ((parts[i] ?? 0) > oldest) return;
    if ((parts[i] ?? 0) < oldest) {
      throw new StoreUnusable(
        `SQLite ${version} can corrupt its write-ahead log; sm needs ${oldestSound.join('.')} or newer. Run npm ci to get the pinned driver.`,
      );
    }
  }
}

function migrate(db: Database, migrations: readonly string[]): void {
  for (let next = versionOf(db); next < migrations.length; next += 1) {
    transact(db, () => {
      // Whoever came first has done it.
      if (versionOf(db) !== next) return;
      db.exec(migrations[next] as string);
      db.exec(`PRAGMA user_version = ${next + 1}`);
    });
  }
}

/** A database from before could not give space back: it is rewritten, once. Without room for that it is as good as before. */
function letItShrink(db: Database): void {
  const { auto_vacuum: how } = db.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  if (how === incremental) return;
  try {
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch (error) {
    if (![...noRoom, ...held].includes(codeOf(error))) throw error;
  }
}

/** Runs the work in one transaction; on any error nothing of it stays. */
export function transact(db: Database, work: () => void): void {
  try {
    db.exec('BEGIN IMMEDIATE');
    work();
    db.exec('COMMIT');
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite rolls back by itself on some errors, a full disk among them.
    }
    throw toStoreError(error);
  }
}

/**
 * The same without waiting for the disk. It is there before any later transaction that waits, because the log is written in
 * order; until then, a power cut may undo it.
 */
export function transactLazily(db: Database, work: () => void): void {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    transact(db, work);
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** SQLite's own numbers, without what they are extended by. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
const incremental = 2;
const corruption = [11, 26];
const noRoom = [13];
const held = [5, 6];

/** The driver's error in the words of the port; `what` says what did not happen. */
export function toStoreError(error: unknown, what = 'Nothing was stored'): unknown {
  if (error instanceof StoreError || error instanceof StoreUnusable) return error;
  const code = codeOf(error);
  if (noRoom.includes(code)) {
    return new StoreError('full', `${what}: the disk is full. Free some space and try again.`, {
      cause: error,
    });
  }
  if (held.includes(code)) {
    return new StoreError('busy', `${what}: another program holds the database. Try again.`, {
      cause: error,
    });
  }
  return new StoreError('failed', `${what}: ${(error as Error).message}`, { cause: error });
}

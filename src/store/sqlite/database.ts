// The one file that knows the driver. Opens a database file the way that we need it, and brings it up to date.
import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreError, StoreUnusable } from '../../ports/store.ts';

export type Database = InstanceType<typeof DatabaseSync>;

/** Up to 3.51.2 a reset of the write-ahead log could corrupt the database. */
const oldestSound = [3, 51, 3] as const;
/** How long to wait for a lock, in ms: everything waits with us, so once we run an answer "busy" is better. */
const patience = { atStart: 5_000, later: 200 };

/** Opens the file and lets `prepare` find out whether it holds what we need; whatever fails, the file is let go. */
export function openDatabase<T>(
  path: string,
  migrations: readonly string[],
  prepare: (db: Database) => T,
): { db: Database; sql: T } {
  let db: Database | undefined;
  try {
    if (path !== ':memory:' && existsSync(path)) refuseNewer(path, migrations.length);
    db = new DatabaseSync(path);
    if (path !== ':memory:') chmodSync(path, 0o600);
    checkVersion(db);
    // Another process may be starting on the same file: the patience comes first.
    db.exec(
      `PRAGMA busy_timeout = ${patience.atStart}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
    );
    migrate(db, migrations);
    db.exec(`PRAGMA busy_timeout = ${patience.later}`);
    return { db, sql: prepare(db) };
  } catch (error) {
    db?.close();
    if (error instanceof StoreUnusable) throw error;
    const { message } = error as Error;
    throw new StoreUnusable(
      `${path} cannot be used: ${message}. Nothing was changed. Put a backup in its place, or move it away to begin anew.`,
      { cause: error },
    );
  }
}

/** On a connection that cannot write, so that the file of a newer version stays as it is, byte for byte. */
function refuseNewer(path: string, known: number): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const version = versionOf(db);
    if (version <= known) return;
    throw new StoreUnusable(
      `${path} was written by a newer version of sm (schema ${version}, this one knows ${known}). Update sm; nothing was changed.`,
    );
  } finally {
    db.close();
  }
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

/** The driver's error in the words of the port; `what` says what did not happen. */
export function toStoreError(error: unknown, what = 'Nothing was stored'): unknown {
  if (error instanceof StoreError || error instanceof StoreUnusable) return error;
  const { message, errcode = 0 } = error as Error & { errcode?: number };
  switch (errcode & 0xff) {
    case 13:
      return new StoreError('full', `${what}: the disk is full. Free some space and try again.`, {
        cause: error,
      });
    case 5:
    case 6:
      return new StoreError('busy', `${what}: another program holds the database. Try again.`, {
        cause: error,
      });
    default:
      return new StoreError('failed', `${what}: ${message}`, { cause: error });
  }
}

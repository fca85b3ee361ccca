// The one file that knows the driver. Opens a database file the way that we need it, and brings it up to date.
import { chmodSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { StoreError, StoreUnusable } from '../../ports/store.ts';

export type Database = InstanceType<typeof DatabaseSync>;

/** Up to 3.51.2 a reset of the write-ahead log could corrupt the database. */
const oldestSound = [3, 51, 3] as const;

export function openDatabase(path: string, migrations: readonly string[]): Database {
  const db = new DatabaseSync(path);
  try {
    if (path !== ':memory:') chmodSync(path, 0o600);
    checkVersion(db);
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000; PRAGMA foreign_keys = ON;',
    );
    migrate(db, path, migrations);
    return db;
  } catch (error) {
    db.close();
    if (error instanceof StoreUnusable) throw error;
    throw new StoreUnusable(`${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

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

function migrate(db: Database, path: string, migrations: readonly string[]): void {
  const version = () => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (version() > migrations.length) {
    throw new StoreUnusable(
      `${path} was written by a newer version of sm (schema ${version()}, this one knows ${migrations.length}). Update sm; nothing was changed.`,
    );
  }
  for (let next = version(); next < migrations.length; next += 1) {
    transact(db, () => {
      if (version() !== next) return;
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

export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof StoreUnusable) return error;
  const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
  const said = `${code ?? ''} ${message}`;
  if ((errcode ?? 0) % 256 === 13 || /SQLITE_FULL|database or disk is full/.test(said)) {
    return new StoreError('full', 'The disk is full: nothing was stored. Free some space and try again.', {
      cause: error,
    });
  }
  if ((errcode ?? 0) % 256 === 5 || /SQLITE_BUSY|database is locked/.test(said)) {
    return new StoreError('busy', 'The database is busy: nothing was stored. Try again.', { cause: error });
  }
  return new StoreError('failed', `Nothing was stored: ${message}`, { cause: error });
}

// A backup is a database of ours with two tables more: the documents that its rows name, and where it comes from. So
// that one file has everything, is whole if SQLite says so, and a person can look into it.
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { migrations } from '../store/sqlite/migrations.ts';

export type Database = InstanceType<typeof DatabaseSync>;

/** What was asked for cannot be done; the message says why, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export interface Origin {
  readonly made_at: string;
  readonly version: string;
  readonly state_dir: string;
}

export const ownTables = `
  CREATE TABLE document (path TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
  CREATE TABLE backup (made_at TEXT NOT NULL, version TEXT NOT NULL, state_dir TEXT NOT NULL) STRICT;
`;

export interface Counts {
  readonly sessions: number;
  readonly waiting: number;
  readonly events: number;
}

export interface Backup {
  readonly db: Database;
  /** Null: a copy from before a migration, or one that was made by hand. */
  readonly origin: Origin | null;
  readonly counts: Counts;
}

/** Opens it to be read, if it is whole and of a version that we know. */
export function openBackup(file: string): Backup {
  if (!existsSync(file)) throw new BackupError(`No file ${file}.`);
  if (!statSync(file).isFile()) throw new BackupError(`${file} is not a file.`);
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    check(db, file);
    checkDocuments(db, file);
    const origin = hasTable(db, 'backup')
      ? (db.prepare('SELECT * FROM backup').get() as unknown as Origin)
      : null;
    return { db, origin, counts: countsOf(db) };
  } catch (error) {
    db.close();
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `Cannot use ${file}: ${(error as Error).message}. It is not a backup of sm, or it is damaged.`,
    );
  }
}

export function checkWhole(db: Database, file: string): void {
  const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (found !== 'ok') throw new BackupError(`${file} is damaged (${found}). Use another one.`);
}

function check(db: Database, file: string): void {
  checkWhole(db, file);
  const { user_version: schema } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (schema === 0 || !hasTable(db, 'session')) throw new BackupError(`${file} is not a backup of sm.`);
  if (schema > migrations.length)
    throw new BackupError(
      `${file} was made by a newer version of sm (schema ${schema}, this one knows ${migrations.length}). Update sm.`,
    );
}

/** The rules for permissions that sm has written, by their path in the state directory. */
export const rulesFile = 'policies.yaml';

/** Nothing in a file from elsewhere may name a place outside of our folders. */
function checkDocuments(db: Database, file: string): void {
  if (!hasTable(db, 'document')) return;
  for (const row of db.prepare('SELECT path FROM document').iterate()) {
    const { path } = row as { path: string };
    if (!isOurs(path))
      throw new BackupError(`${file} has a document "${path}" that does not belong there. Use another one.`);
  }
}

const isOurs = (path: string): boolean =>
  path === rulesFile ||
  (/^(messages|handoffs\/[^/]+)\/[^/]+$/.test(path) && !path.split('/').some((part) => /^\.\.?$/.test(part)));

export const hasTable = (db: Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

export function countsOf(db: Database): Counts {
  return db
    .prepare(
      `SELECT (SELECT count(*) FROM session WHERE NOT retired) AS sessions,
        (SELECT count(*) FROM message WHERE state IN ('queued', 'held', 'typed')) AS waiting,
        (SELECT count(*) FROM event) AS events`,
    )
    .get() as unknown as Counts;
}

export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

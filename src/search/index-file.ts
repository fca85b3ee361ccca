// The file of the index: words, and the numbers of the events that they stand in. It has no text of its own, and nothing
// that could not be made again: one that does not fit to the history, or is damaged, is thrown away.
import { chmodSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

export type Database = InstanceType<typeof DatabaseSync>;

/** Goes up when something else is taken in, or otherwise. */
const version = 2;

/**
 * `family` are the ancestors of the session. Merged by us, a little at a time: left to itself, it takes half a second now
 * and then. `part` is what an event has of a transcript, `ended` how far each was read. Everything between `low` and `high` was looked at; `at` and `session` tell whether `high` is still the same.
 */
const schema = `
  CREATE VIRTUAL TABLE found USING fts5(
    text, transcript, session, family, sender,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO found (found, rank) VALUES ('automerge', 0), ('crisismerge', 500);
  CREATE TABLE reach (
    low INTEGER NOT NULL, high INTEGER NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL
  ) STRICT;
  CREATE TABLE part (
    number INTEGER PRIMARY KEY, provider TEXT NOT NULL, path TEXT NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, line INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE ended (path TEXT PRIMARY KEY, offset INTEGER NOT NULL, line INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

export interface Reach {
  readonly low: number;
  readonly high: number;
}

/** `history` is open, and may be read. */
export function openIndex(path: string, history: Database): Database {
  try {
    const db = open(path);
    if (fits(db, history)) return db;
    db.close();
  } catch {
    // Damaged, most likely. What else it may be comes again below.
  }
  discard(path);
  const db = open(path);
  db.exec(`BEGIN; ${schema} COMMIT`);
  return db;
}

export function discard(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

function open(path: string): Database {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    chmodSync(path, 0o600);
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(`PRAGMA journal_size_limit = ${4 * 1024 * 1024}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** After a backup was restored, the numbers mean other events. */
function fits(db: Database, history: Database): boolean {
  const { user_version: made } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (made !== version) return false;
  const reach = db.prepare('SELECT high, at, session FROM reach').get() as
    | { high: number; at: number; session: string }
    | undefined;
  if (!reach) return true;
  const last = history.prepare('SELECT at, session_id FROM event WHERE number = ?').get(reach.high) as
    | { at: number; session_id: string }
    | undefined;
  return last?.at === reach.at && last.session_id === reach.session;
}

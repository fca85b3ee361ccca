// Takes the history into the index, in small steps: what is new first, then what was there before, from the newest to the
// oldest. A step and how far it has come are one transaction, so that whoever dies in between goes on where he was.
import type { Event, History } from './history.ts';
import type { Database, Reach } from './index-file.ts';

/** A few milliseconds. */
const eventsAtATime = 200;
const charactersAtATime = 60_000;
/** Of one text, so much can be found. */
const longestText = 50_000;
const pagesAtATime = 128;
const oldestAtATime = 500;

export type Indexing = ReturnType<typeof indexing>;

export function indexing(db: Database, history: History) {
  const sql = {
    add: db.prepare('INSERT INTO found (rowid, text, session, family, sender) VALUES (?, ?, ?, ?, ?)'),
    reach: db.prepare('SELECT low, high FROM reach'),
    begin: db.prepare('INSERT INTO reach (low, high, at, session) VALUES (?, ?, ?, ?)'),
    raise: db.prepare('UPDATE reach SET high = ?, at = ?, session = ?'),
    lower: db.prepare('UPDATE reach SET low = ?'),
    merge: db.prepare("INSERT INTO found (found, rank) VALUES ('merge', ?)"),
    changes: db.prepare('SELECT total_changes() AS count'),
    oldest: db.prepare('SELECT id AS number FROM found_docsize WHERE id > ? ORDER BY id LIMIT ?'),
    drop: db.prepare('DELETE FROM found WHERE rowid IN (SELECT value FROM json_each(?))'),
  };

  const reach = (): Reach | undefined => sql.reach.get() as Reach | undefined;

  function transact(work: () => void): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Answers the last event that there was room for. In the order of their numbers, which costs the index least. */
  function take(events: readonly Event[]): Event {
    const rows: Parameters<typeof sql.add.run>[] = [];
    let characters = 0;
    let last = events[0] as Event;
    for (const event of events) {
      if (characters >= charactersAtATime) break;
      last = event;
      const passage = history.passage(event);
      if (!passage) continue;
      const text = passage.text.slice(0, longestText);
      characters += text.length;
      const { number, sessionId } = event;
      rows.push([number, text, sessionId, history.ancestors(sessionId).join(' '), passage.sender]);
    }
    rows.sort((a, b) => Number(a[0]) - Number(b[0]));
    for (const row of rows) sql.add.run(...row);
    return last;
  }

  /** Whether there was something. */
  function up(): boolean {
    const before = reach();
    const events = before ? history.after(before.high, eventsAtATime) : history.before(history.last() + 1, 1);
    if (events.length === 0) return false;
    transact(() => {
      const { number, at, sessionId } = take(events);
      if (before) sql.raise.run(number, at, sessionId);
      else sql.begin.run(number, number, at, sessionId);
    });
    return true;
  }

  function down(): boolean {
    const before = reach();
    if (!before || before.low === 0) return false;
    const events = history.before(before.low, eventsAtATime);
    transact(() => sql.lower.run(events.length === 0 ? 0 : take(events).number));
    return true;
  }

  const changes = (): number => (sql.changes.get() as { count: number }).count;

  return {
    /** Takes in what is new. */
    up,
    /** Takes in what was there before. */
    down,
    /** Many small parts of the index become fewer large ones; whether there was something to do. */
    merge(): boolean {
      const before = changes();
      sql.merge.run(pagesAtATime);
      return changes() - before >= 2;
    },
    /** Lets go of what is forgotten, the oldest first; answers from where to go on, or null. */
    prune(after: number): number | null {
      const oldest = sql.oldest.all(after, oldestAtATime).map((row) => (row as { number: number }).number);
      const still = history.are(oldest);
      const gone = oldest.filter((number) => !still.has(number));
      // Events are forgotten by their age: where none is missing, none is missing after it either.
      if (gone.length === 0) return null;
      transact(() => sql.drop.run(JSON.stringify(gone)));
      db.exec('PRAGMA incremental_vacuum(64)');
      return oldest.at(-1) as number;
    },
    /** From when on all is known; null: from the beginning. */
    from(): number | null {
      const known = reach();
      if (!known || known.low === 0) return null;
      return history.one(known.low)?.at ?? null;
    },
  };
}

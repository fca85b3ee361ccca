// Takes the history into the index, in small steps: what is new first, then what was there before, from the newest to the
// oldest. A step and how far it has come are one transaction, so that whoever dies in between goes on where he was.
import { isNamed } from '../domain/core/event.ts';
import type { Event, History } from './history.ts';
import type { Database, Reach } from './index-file.ts';
import { type Ended, linesOf, partSince } from './transcripts.ts';

/** A few milliseconds. */
const eventsAtATime = 100;
const charactersAtATime = 25_000;
/** Of one text, so much can be found. */
const longestText = 50_000;
const pagesAtATime = 32;
const oldestAtATime = 500;

export type Indexing = ReturnType<typeof indexing>;

export function indexing(db: Database, history: History) {
  const sql = {
    add: db.prepare(
      'INSERT INTO found (rowid, text, transcript, session, family, sender) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    reach: db.prepare('SELECT low, high FROM reach'),
    begin: db.prepare('INSERT INTO reach (low, high, at, session) VALUES (?, ?, ?, ?)'),
    raise: db.prepare('UPDATE reach SET high = ?, at = ?, session = ?'),
    lower: db.prepare('UPDATE reach SET low = ?'),
    merge: db.prepare("INSERT INTO found (found, rank) VALUES ('merge', ?)"),
    changes: db.prepare('SELECT total_changes() AS count'),
    ended: db.prepare('SELECT offset, line FROM ended WHERE path = ?'),
    setEnded: db.prepare('INSERT OR REPLACE INTO ended (path, offset, line) VALUES (?, ?, ?)'),
    addPart: db.prepare(
      'INSERT INTO part (number, provider, path, start, end, line) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    dropParts: db.prepare('DELETE FROM part WHERE number IN (SELECT value FROM json_each(?))'),
    dropEnded: db.prepare('DELETE FROM ended WHERE path NOT IN (SELECT path FROM part)'),
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
  function take(events: readonly Event[], isNew: boolean): Event {
    const rows: Parameters<typeof sql.add.run>[] = [];
    let characters = 0;
    let last = events[0] as Event;
    for (const event of events) {
      if (characters >= charactersAtATime) break;
      last = event;
      const passage = history.passage(event);
      const transcript = isNew && isNamed(event.body, 'turn ended') ? takeTranscript(event) : '';
      if (!passage && transcript === '') continue;
      const text = passage?.text.slice(0, longestText) ?? '';
      characters += text.length + transcript.length;
      const { number, sessionId } = event;
      rows.push([
        number,
        text,
        transcript,
        sessionId,
        history.ancestors(sessionId).join(' '),
        passage?.sender ?? sessionId,
      ]);
    }
    rows.sort((a, b) => Number(a[0]) - Number(b[0]));
    for (const row of rows) sql.add.run(...row);
    return last;
  }

  /** What the agent has written since the last turn. Of turns from before, nobody knows where theirs began. */
  function takeTranscript({ number, sessionId }: Event): string {
    const where = history.transcript(sessionId);
    if (!where) return '';
    const { path, provider } = where;
    const before = sql.ended.get(path) as Ended | undefined;
    const since = partSince(path, provider, before ?? { offset: 0, line: 1 });
    if (!since) return '';
    const { part, ended } = since;
    sql.setEnded.run(path, ended.offset, ended.line);
    sql.addPart.run(number, provider, path, part.start, part.end, part.line);
    return linesOf(part)
      .map(({ text }) => text)
      .join('\n')
      .slice(0, longestText);
  }

  /** Whether there was something. */
  function up(): boolean {
    const before = reach();
    const events = before ? history.after(before.high, eventsAtATime) : history.before(history.last() + 1, 1);
    if (events.length === 0) return false;
    transact(() => {
      const { number, at, sessionId } = take(events, true);
      if (before) sql.raise.run(number, at, sessionId);
      else sql.begin.run(number, number, at, sessionId);
    });
    return true;
  }

  function down(): boolean {
    const before = reach();
    if (!before || before.low === 0) return false;
    const events = history.before(before.low, eventsAtATime);
    transact(() => sql.lower.run(events.length === 0 ? 0 : take(events, false).number));
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
      transact(() => {
        const numbers = JSON.stringify(gone);
        sql.drop.run(numbers);
        if (sql.dropParts.run(numbers).changes) sql.dropEnded.run();
      });
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

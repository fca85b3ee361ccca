// Forgets what ended long ago and gives its space back, a little at a time: everybody waits while SQLite works.
import type { Age } from '../../ports/store.ts';
import { type Database, toStoreError, transact } from './database.ts';
import { hasWorktree } from './migrations.ts';

/** A millisecond or two. */
const rowsAtATime = 50;
const pagesAtATime = 32;
/** Less than what makes a commit write the log back itself. */
const stepsToWriteBack = 8;
/** A row that is longer than a page takes as many more to remove. */
const pageSize = 4_096;

type Step = 'more' | 'last' | 'nothing';

interface Found {
  readonly key: string | number;
  readonly bytes: number;
}

export function forgetting(db: Database) {
  const sql = statements(db);

  /** A message goes with all that was told of it: what can be traced at all can be traced from its beginning. */
  function messages(before: number, most: number): number {
    let cost = 0;
    for (const message of sql.endedMessages.all(before, most) as Found[]) {
      if (cost >= most) return cost;
      const told = sql.eventsOfMessage.all(message.key, most - cost + 1) as Found[];
      const events = affordable(told, most - cost);
      sql.dropEvents.run(JSON.stringify(events.keys));
      cost += events.cost;
      // The rest of them, and then the message, the next time.
      if (events.keys.length < told.length) return most;
      sql.dropMessage.run(message.key);
      cost += costOf(message);
    }
    return cost;
  }

  function sessions(before: number, most: number): number {
    let cost = 0;
    for (const session of sql.endedSessions.all(before, most) as Found[]) {
      if (cost >= most) break;
      for (const drop of sql.dropSession) cost += Number(drop.run(session.key).changes);
    }
    return cost;
  }

  function events(before: number, most: number): number {
    const { keys, cost } = affordable(sql.oldEvents.all(before, most) as Found[], most);
    if (keys.length > 0) sql.dropEvents.run(JSON.stringify(keys));
    return cost;
  }

  const facts = (before: number, most: number): number => Number(sql.dropFacts.run(before, most).changes);

  const spent = (before: number, most: number): number => Number(sql.dropSpent.run(before, most).changes);

  function prune({ ended, facts: takenIn }: Age): Step {
    let left = rowsAtATime;
    transact(db, () => {
      left -= messages(ended, left);
      if (left > 0) left -= sessions(ended, left);
      if (left > 0) left -= events(ended, left);
      if (left > 0) left -= spent(ended, left);
      if (left > 0) left -= facts(takenIn, left);
    });
    if (left === rowsAtATime) return 'nothing';
    return left > 0 ? 'last' : 'more';
  }

  const freePages = (): number => (sql.free.get() as { freelist_count: number }).freelist_count;

  function reclaim(): Step {
    const before = freePages();
    if (before > 0) db.exec(`PRAGMA incremental_vacuum(${pagesAtATime})`);
    const after = freePages();
    if (after === before) return 'nothing';
    return after > 0 ? 'more' : 'last';
  }

  /** `writeBack` makes what the log holds part of the file, which does not shrink before. */
  return async (age: Age, between: () => Promise<void>, writeBack: () => Promise<void>): Promise<void> => {
    for (const step of [() => prune(age), reclaim]) {
      for (let steps = 1; ; steps += 1) {
        const done = unhurried(db, step);
        if (done === 'nothing') break;
        if (done === 'last' || steps % stepsToWriteBack === 0) await writeBack();
        await between();
        if (done === 'last') break;
      }
    }
  };
}

/** What a power cut takes back of this is done again, so that it need not wait for the disk. */
function unhurried<T>(db: Database, work: () => T): T {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, 'Some old data was not removed');
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

const costOf = ({ bytes }: Found): number => 1 + Math.floor(bytes / pageSize);

/** Of the rows that were found, those that `most` allows for; at least one. */
function affordable(found: readonly Found[], most: number): { keys: Found['key'][]; cost: number } {
  const keys: Found['key'][] = [];
  let cost = 0;
  for (const row of found) {
    if (cost >= most) break;
    keys.push(row.key);
    cost += costOf(row);
  }
  return { keys, cost };
}

/** What is to go, the oldest first. */
export const oldRows = {
  // One that is still to be posted is known by its row: without it, it would be posted again.
  messages: `SELECT id AS key, octet_length(body) AS bytes FROM message WHERE ended_at < ? AND id NOT IN (
      SELECT json_extract(effect, '$.message') FROM owed WHERE json_extract(effect, '$.message') IS NOT NULL
    ) ORDER BY ended_at LIMIT ?`,
  // What it still owes to others is settled in its name.
  sessions: `SELECT id AS key, octet_length(body) AS bytes FROM session
    WHERE retired AND json_extract(body, '$.process.at') < ? AND id NOT IN (SELECT session_id FROM owed)
      AND ${hasWorktree} IS NOT TRUE LIMIT ?`,
  events: `SELECT number AS key, octet_length(body) AS bytes FROM event
    WHERE at < ? AND json_extract(body, '$.message') IS NULL ORDER BY at LIMIT ?`,
  facts: 'SELECT id AS key, 0 AS bytes FROM fact WHERE at < ? ORDER BY at LIMIT ?',
};

function statements(db: Database) {
  return {
    endedMessages: db.prepare(oldRows.messages),
    eventsOfMessage: db.prepare(
      `SELECT number AS key, octet_length(body) AS bytes FROM event
        WHERE json_extract(body, '$.message') = ? LIMIT ?`,
    ),
    dropMessage: db.prepare('DELETE FROM message WHERE id = ?'),
    endedSessions: db.prepare(oldRows.sessions),
    dropSession: [
      db.prepare('DELETE FROM context WHERE session_id = ?'),
      db.prepare(
        "DELETE FROM message WHERE session_id = ? AND state IN ('queued', 'held', 'typed', 'accepted')",
      ),
      db.prepare('DELETE FROM pulse WHERE id = ?'),
      db.prepare('DELETE FROM session WHERE id = ?'),
    ],
    oldEvents: db.prepare(oldRows.events),
    dropEvents: db.prepare('DELETE FROM event WHERE number IN (SELECT value FROM json_each(?))'),
    dropFacts: db.prepare(`DELETE FROM fact WHERE id IN (SELECT key FROM (${oldRows.facts}))`),
    dropSpent: db.prepare(
      `DELETE FROM spent WHERE (session_id, context, at, model) IN (
        SELECT session_id, context, at, model FROM spent WHERE at < ? ORDER BY at LIMIT ?)`,
    ),
    free: db.prepare('PRAGMA freelist_count'),
  };
}

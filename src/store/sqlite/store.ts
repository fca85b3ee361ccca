// The store on SQLite. Calls are synchronous inside: a durable commit costs a third of a millisecond, and the
// engine hands over all inputs of a tick at once.

import { type ContextRecord, recordsAfter, tellsOfContext } from '../../domain/context/record.ts';
import { emptyState } from '../../domain/core/change.ts';
import type { OwedEffect } from '../../domain/core/effect.ts';
import type { EventNamed, NewEvent } from '../../domain/core/event.ts';
import { isWaiting, type Message } from '../../domain/core/message.ts';
import type { SessionId } from '../../domain/core/names.ts';
import { isRetired, type Session, type State } from '../../domain/core/session.ts';
import type { Spent } from '../../domain/core/spending.ts';
import { type LimitRecord, limitAfter, tellsOfLimit } from '../../domain/limits/record.ts';
import type { Batch, Store, StoredEvent } from '../../ports/store.ts';
import { type Database, openDatabase, toStoreError, transact } from './database.ts';
import { forgetLetters, storedFleet } from './fleet.ts';
import { forgetting } from './forgetting.ts';
import {
  firstName,
  hasWorktree,
  isHighlight,
  isOfCurve,
  killedAt,
  migrations,
  shownName,
} from './migrations.ts';
import { storedTellings } from './tellings.ts';
import { storedTopics } from './topics.ts';
import { type WriteBack, writeBackBeside } from './write-back.ts';

type Row = Record<string, unknown>;

/** `writeBackProgram`: what runs `write-back-worker.ts`; without it, everybody waits for the disk while much is forgotten. */
export function openSqliteStore(path: string, writeBackProgram?: string): Store {
  const { db, sql } = openDatabase(path, migrations, statements);

  /** As they were stored last, to know what of them has changed. */
  const stored = new Map<SessionId, Session>();

  const body = <T>(row: unknown): T => JSON.parse((row as { body: string }).body) as T;

  function stateOf(session: Session): State {
    const state = emptyState(session);
    for (const row of sql.openMessages.all(session.id)) {
      const message = body<Message>(row);
      (isWaiting(message) ? state.queue[message.mode] : state.active).set(message.id, message);
    }
    return state;
  }

  function write(batch: Batch): void {
    for (const session of batch.sessions) {
      const { lastActivityAt, silence, usage, spending } = session;
      if (!isOnlyPulse(stored.get(session.id), session))
        sql.putSession.run(session.id, withoutPulse(session));
      sql.putPulse.run(session.id, JSON.stringify({ lastActivityAt, silence, usage, spending }));
    }
    for (const message of batch.messages) sql.putMessage.run(message.id, JSON.stringify(message));
    for (const event of batch.events) {
      sql.addEvent.run(event.sessionId, event.at, JSON.stringify(event.body));
      if (tellsOfContext(event.body)) record(event);
      if (tellsOfLimit(event.body)) recordLimit(event.body, event.at);
    }
    for (const owed of batch.owed) sql.addOwed.run(owed.id, owed.sessionId, JSON.stringify(owed.effect));
    for (const id of batch.settled) sql.settle.run(id);
    for (const { sessionId, context, at, model, tokens, costUsd } of batch.spent ?? []) {
      const { input, cacheRead, cacheWrite, output } = tokens;
      sql.spend.run(sessionId, context, at, model, input, cacheRead, cacheWrite, output, costUsd);
    }
    if (batch.facts.length > 0) sql.addFacts.run(JSON.stringify(batch.facts));
  }

  function record(event: NewEvent): void {
    const [newest, previous] = sql.lastContexts.all(event.sessionId, 2).map(toContext);
    for (const { sessionId, number, ...rest } of recordsAfter(newest, previous, event))
      sql.putContext.run(sessionId, number, JSON.stringify(rest));
  }

  function recordLimit(told: EventNamed<'limit told'>, at: number): void {
    const row = sql.limit.get(told.account, told.window);
    const { account, window, ...rest } = limitAfter(row ? toLimit(row) : undefined, told, at);
    sql.putLimit.run(account, window, JSON.stringify(rest));
  }

  const answer = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, 'Nothing was read');
    }
  };

  return {
    load: async () =>
      answer(() => ({
        states: sql.live.all().map((row) => stateOf(toSession(row))),
        owed: sql.owed.all().map((row): OwedEffect => {
          const { id, session_id, effect } = row as Row;
          return { id: String(id), sessionId: String(session_id), effect: JSON.parse(String(effect)) };
        }),
      })),
    commit: async (batch) => {
      transact(db, () => write(batch));
      for (const session of batch.sessions) {
        if (isRetired(session)) stored.delete(session.id);
        else stored.set(session.id, session);
      }
    },
    knownFacts: async (ids) =>
      answer(() => new Set(sql.knownFacts.all(JSON.stringify(ids)).map((row) => String((row as Row).id)))),
    state: async (id) =>
      answer(() => {
        const row = sql.session.get(id);
        return row ? stateOf(toSession(row)) : null;
      }),
    retired: async (limit) => answer(() => sql.retired.all(limit).map(toSession)),
    retiredNamed: async (name, limit) =>
      answer(() => {
        const rows = [...sql.retiredShown.all(name, limit), ...sql.retiredFirst.all(name, limit)] as Row[];
        const ids = new Set(rows.sort((a, b) => Number(b.at) - Number(a.at)).map(({ id }) => String(id)));
        return [...ids].slice(0, limit).map((id) => toSession(sql.session.get(id)));
      }),
    retiredStarting: async (prefix, limit) =>
      answer(() => sql.retiredStarting.all(prefix, afterAll(prefix), limit).map(toSession)),
    retiredWithWorktree: async () => answer(() => sql.retiredWithWorktree.all().map(toSession)),
    message: async (id) =>
      answer(() => {
        const row = sql.message.get(id);
        return row ? body<Message>(row) : null;
      }),
    messagesTo: async (sessionId, limit) =>
      answer(() => sql.messagesTo.all(sessionId, limit).map((row) => body<Message>(row))),
    messagesStarting: async (prefix, limit) =>
      answer(() =>
        sql.messagesStarting.all(prefix, afterAll(prefix), limit).map((row) => body<Message>(row)),
      ),
    events: async ({ after, limit, last, sessionId }) =>
      answer(() => {
        const [all, ofOne] = last ? [sql.lastEvents, sql.lastEventsOf] : [sql.events, sql.eventsOf];
        const events = (sessionId ? ofOne.all(sessionId, after, limit) : all.all(after, limit)).map(toEvent);
        return last ? events.reverse() : events;
      }),
    eventsNamed: async ({ after, names, limit }) =>
      answer(() => sql.eventsNamed.all(after, JSON.stringify(names), limit).map(toEvent)),
    lastEvent: async (sessionId, names) =>
      answer(() => {
        const row = sql.lastEventNamed.get(sessionId, JSON.stringify(names));
        return row ? toEvent(row) : null;
      }),
    eventsOfMessage: async (id) => answer(() => sql.eventsOfMessage.all(id).map(toEvent)),
    curve: async ({ sessionId, since, limit }) =>
      answer(() => sql.curve.all(sessionId, since, limit).map(toEvent).reverse()),
    highlights: async ({ since, after, limit }) =>
      answer(() => sql.highlights.all(since, after, limit).map(toEvent)),
    contexts: async (sessionId, limit) =>
      answer(() => sql.lastContexts.all(sessionId, limit).map(toContext).reverse()),
    limits: async () => answer(() => sql.limits.all().map(toLimit)),
    spent: async ({ since, sessionId }) =>
      answer(() =>
        (sessionId ? sql.spentBy.all(sessionId, since) : sql.spent.all(since)).map((row) => toSpent(row)),
      ),
    async forget(age, between) {
      let beside: WriteBack | null = null;
      const writeBack = async () => {
        if (writeBackProgram) beside ??= writeBackBeside(writeBackProgram, path);
        if (!(await beside?.run())) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      };
      try {
        await sql.forget(age, between, writeBack);
        while (forgetLetters(db, age.ended) > 0) await between();
      } finally {
        (beside as WriteBack | null)?.close();
      }
    },
    tellings: storedTellings(db),
    topics: storedTopics(db),
    fleet: storedFleet(db),
    async close() {
      // Everything into the one file, for whoever copies it.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

/** Comes after every id that begins so: ids are of plain letters and digits. */
const afterAll = (prefix: string): string => `${prefix}\uffff`;

const withoutPulse = ({ lastActivityAt, silence, usage, spending, ...rest }: Session): string =>
  JSON.stringify(rest);

const pulse: ReadonlySet<string> = new Set<keyof Session>(['lastActivityAt', 'silence', 'usage', 'spending']);

/** Whether nothing else has changed. States are never changed in place, so what is the same object is the same. */
function isOnlyPulse(before: Session | undefined, after: Session): boolean {
  if (!before) return false;
  for (const key in after) {
    const name = key as keyof Session;
    if (before[name] !== after[name] && !pulse.has(key)) return false;
  }
  return true;
}

function toSession(row: unknown): Session {
  const { body, pulse } = row as { body: string; pulse: string | null };
  return { ...JSON.parse(body), ...(pulse === null ? {} : JSON.parse(pulse)) };
}

function toEvent(row: unknown): StoredEvent {
  const { number, session_id, at, body } = row as Row;
  return {
    number: Number(number),
    sessionId: String(session_id),
    at: Number(at),
    body: JSON.parse(String(body)),
  };
}

function toContext(row: unknown): ContextRecord {
  const { session_id, number, body } = row as Row;
  return { sessionId: String(session_id), number: Number(number), ...JSON.parse(String(body)) };
}

function toLimit(row: unknown): LimitRecord {
  const { account, window, body } = row as Row;
  return { account: String(account), window: String(window), ...JSON.parse(String(body)) };
}

function toSpent(row: unknown): Spent {
  const { session_id, context, at, model, input, cache_read, cache_write, output, cost } = row as Row;
  return {
    sessionId: String(session_id),
    context: Number(context),
    at: Number(at),
    model: String(model),
    tokens: {
      input: Number(input),
      cacheRead: Number(cache_read),
      cacheWrite: Number(cache_write),
      output: Number(output),
    },
    costUsd: cost === null ? null : Number(cost),
  };
}

/** As the domain has it: `message accepted`, `said`. */
const eventName = `concat_ws(' ', json_extract(body, '$.type'), json_extract(body, '$.state'), json_extract(body, '$.step'))`;

const sessions = 'SELECT session.body, pulse.body AS pulse FROM session LEFT JOIN pulse USING (id)';

export const retiredBy = (name: string): string =>
  `SELECT id, ${killedAt} AS at FROM session WHERE retired AND ${name} = ? ORDER BY ${killedAt} DESC LIMIT ?`;

export const highlightsFrom = `SELECT number, session_id, at, body FROM event
  WHERE ${isHighlight} AND (at, number) > (?, ?) ORDER BY at, number LIMIT ?`;

function statements(db: Database) {
  return {
    putSession: db.prepare(
      'INSERT INTO session (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    ),
    putPulse: db.prepare(
      'INSERT INTO pulse (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    ),
    putMessage: db.prepare(
      'INSERT INTO message (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    ),
    addEvent: db.prepare('INSERT INTO event (session_id, at, body) VALUES (?, ?, ?)'),
    addOwed: db.prepare('INSERT INTO owed (id, session_id, effect) VALUES (?, ?, ?)'),
    settle: db.prepare('DELETE FROM owed WHERE id = ?'),
    // All at once: every statement outside of a transaction locks and unlocks the file.
    addFacts: db.prepare(
      "INSERT INTO fact (id, at) SELECT value->>'id', value->>'at' FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
    ),
    knownFacts: db.prepare('SELECT id FROM fact WHERE id IN (SELECT value FROM json_each(?))'),
    live: db.prepare(`${sessions} WHERE NOT retired ORDER BY session.rowid`),
    session: db.prepare(`${sessions} WHERE id = ?`),
    retired: db.prepare(`${sessions} WHERE retired ORDER BY session.rowid DESC LIMIT ?`),
    retiredShown: db.prepare(retiredBy(shownName)),
    retiredFirst: db.prepare(retiredBy(firstName)),
    retiredStarting: db.prepare(`${sessions} WHERE id >= ? AND id < ? AND retired ORDER BY id LIMIT ?`),
    retiredWithWorktree: db.prepare(`${sessions} WHERE retired AND ${hasWorktree}`),
    openMessages: db.prepare(
      "SELECT body FROM message WHERE session_id = ? AND state IN ('queued', 'held', 'typed', 'accepted') ORDER BY json_extract(body, '$.order')",
    ),
    message: db.prepare('SELECT body FROM message WHERE id = ?'),
    messagesTo: db.prepare(
      "SELECT body FROM message WHERE session_id = ? ORDER BY json_extract(body, '$.createdAt') DESC LIMIT ?",
    ),
    messagesStarting: db.prepare('SELECT body FROM message WHERE id >= ? AND id < ? ORDER BY id LIMIT ?'),
    owed: db.prepare('SELECT id, session_id, effect FROM owed ORDER BY rowid'),
    events: db.prepare(
      'SELECT number, session_id, at, body FROM event WHERE number > ? ORDER BY number LIMIT ?',
    ),
    lastEvents: db.prepare(
      'SELECT number, session_id, at, body FROM event WHERE number > ? ORDER BY number DESC LIMIT ?',
    ),
    eventsOf: db.prepare(
      'SELECT number, session_id, at, body FROM event WHERE session_id = ? AND number > ? ORDER BY number LIMIT ?',
    ),
    lastEventsOf: db.prepare(
      'SELECT number, session_id, at, body FROM event WHERE session_id = ? AND number > ? ORDER BY number DESC LIMIT ?',
    ),
    eventsNamed: db.prepare(
      `SELECT number, session_id, at, body FROM event WHERE number > ?
        AND ${eventName} IN (SELECT value FROM json_each(?)) ORDER BY number LIMIT ?`,
    ),
    lastEventNamed: db.prepare(
      `SELECT number, session_id, at, body FROM event WHERE session_id = ?
        AND ${eventName} IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT 1`,
    ),
    eventsOfMessage: db.prepare(
      "SELECT number, session_id, at, body FROM event WHERE json_extract(body, '$.message') = ? ORDER BY number",
    ),
    curve: db.prepare(
      `SELECT number, session_id, at, body FROM event WHERE session_id = ? AND at >= ? AND ${isOfCurve}
        ORDER BY at DESC, number DESC LIMIT ?`,
    ),
    highlights: db.prepare(highlightsFrom),
    putContext: db.prepare(
      'INSERT INTO context VALUES (?, ?, ?) ON CONFLICT (session_id, number) DO UPDATE SET body = excluded.body',
    ),
    lastContexts: db.prepare(
      'SELECT session_id, number, body FROM context WHERE session_id = ? ORDER BY number DESC LIMIT ?',
    ),
    limit: db.prepare('SELECT * FROM account_limit WHERE account = ? AND window = ?'),
    limits: db.prepare('SELECT * FROM account_limit ORDER BY account, window'),
    putLimit: db.prepare(
      'INSERT INTO account_limit VALUES (?, ?, ?) ON CONFLICT (account, window) DO UPDATE SET body = excluded.body',
    ),
    spend: db.prepare(
      `INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        input = input + excluded.input, cache_read = cache_read + excluded.cache_read,
        cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
        cost = CASE WHEN cost IS NULL THEN excluded.cost ELSE cost + coalesce(excluded.cost, 0) END`,
    ),
    spent: db.prepare('SELECT * FROM spent WHERE at >= ? ORDER BY at'),
    spentBy: db.prepare('SELECT * FROM spent WHERE session_id = ? AND at >= ? ORDER BY at'),
    forget: forgetting(db),
  };
}

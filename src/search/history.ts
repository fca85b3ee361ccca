// What can be found: the parts of the history that are texts. Read from the store's own file, which is never written here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type EventBody, isNamed } from '../domain/core/event.ts';
import type { Message } from '../domain/core/message.ts';
import type { Place } from '../ports/search.ts';
import type { Database } from './index-file.ts';

export interface Event {
  readonly number: number;
  readonly sessionId: string;
  readonly at: number;
  readonly body: EventBody;
}

export interface Passage {
  readonly text: string;
  /** A session, or `person`. */
  readonly sender: string;
  /** Where its line is not known yet, 0. */
  readonly place: Place;
}

export type History = ReturnType<typeof openHistory>;

/** `handoffs`: where copies of documents are kept. */
export function openHistory(database: string, handoffs: string) {
  const db: Database = new DatabaseSync(database, { readOnly: true, timeout: 5_000 });
  const columns = 'SELECT number, session_id, at, body FROM event';
  const sql = {
    after: db.prepare(`${columns} WHERE number > ? ORDER BY number LIMIT ?`),
    before: db.prepare(`${columns} WHERE number < ? ORDER BY number DESC LIMIT ?`),
    one: db.prepare(`${columns} WHERE number = ?`),
    last: db.prepare('SELECT max(number) AS number FROM event'),
    are: db.prepare('SELECT number FROM event WHERE number IN (SELECT value FROM json_each(?))'),
    message: db.prepare('SELECT body FROM message WHERE id = ?'),
    transcript: db.prepare(
      "SELECT body ->> '$.context.transcript.path' AS path, body ->> '$.provider' AS provider FROM session WHERE id = ?",
    ),
    parent: db.prepare("SELECT json_extract(body, '$.parentId') AS id FROM session WHERE id = ?"),
  };
  /** A parent stays the same. */
  const parents = new Map<string, string | null>();

  function parentOf(id: string): string | null {
    const known = parents.get(id);
    if (known !== undefined) return known;
    const row = sql.parent.get(id) as { id: string | null } | undefined;
    if (row) parents.set(id, row.id);
    return row?.id ?? null;
  }

  return {
    db,
    after: (number: number, limit: number): Event[] => sql.after.all(number, limit).map(toEvent),
    before: (number: number, limit: number): Event[] => sql.before.all(number, limit).map(toEvent),
    one(number: number): Event | null {
      const row = sql.one.get(number);
      return row ? toEvent(row) : null;
    },
    last: (): number => (sql.last.get() as { number: number | null }).number ?? 0,
    /** Which of them are not forgotten. */
    are: (numbers: readonly number[]): Set<number> =>
      new Set(sql.are.all(JSON.stringify(numbers)).map((row) => (row as { number: number }).number)),
    ancestors(session: string): string[] {
      const found: string[] = [];
      for (let id = parentOf(session); id !== null && !found.includes(id); id = parentOf(id)) found.push(id);
      return found;
    },
    /** Of the context that the session is in now. */
    transcript(session: string): { path: string; provider: string } | null {
      const row = sql.transcript.get(session) as { path: string | null; provider: string } | undefined;
      return row?.path ? { path: row.path, provider: row.provider } : null;
    },
    passage({ sessionId, body }: Event): Passage | null {
      if (body.type === 'said') return spoken(sessionId, body.turn, body.text);
      if (isNamed(body, 'turn ended'))
        return body.lastWords === null ? null : spoken(sessionId, body.turn, body.lastWords);
      if (isNamed(body, 'handoff done')) {
        // The copy: it was kept under the number of the context that it was written in, and stays as it was.
        const path = join(handoffs, sessionId, `${body.context - 1}.md`);
        const text = readOrNull(path);
        return text === null ? null : { text, sender: sessionId, place: { kind: 'document', path, line: 0 } };
      }
      // What waits again was queued before. What sm writes repeats what others have said.
      if (!isNamed(body, 'message queued') || body.why !== undefined || body.from.kind === 'sm') return null;
      const row = sql.message.get(body.message) as { body: string } | undefined;
      if (!row) return null;
      const { id, text, from } = JSON.parse(row.body) as Message;
      const sender = from.kind === 'session' ? from.id : from.kind;
      return { text, sender, place: { kind: 'message', message: id, from } };
    },
    close: () => db.close(),
  };
}

const spoken = (sessionId: string, turn: string | null, text: string): Passage => ({
  text,
  sender: sessionId,
  place: { kind: 'words', turn },
});

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function toEvent(row: unknown): Event {
  const { number, session_id, at, body } = row as {
    number: number;
    session_id: string;
    at: number;
    body: string;
  };
  return { number, sessionId: session_id, at, body: JSON.parse(body) };
}

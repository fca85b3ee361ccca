// What somebody outside is told: owed, begun and ended. Of what has ended only the last is kept.
import { DatabaseSync } from '@photostructure/sqlite';
import type { Telling, Tellings } from '../../ports/telling.ts';
import { type Database, transact } from './database.ts';

const kept = 1_000;

const lastToldTo = `SELECT body FROM telling WHERE json_extract(body, '$.channel') = ?
  AND json_extract(body, '$.to') = ? AND state NOT IN ('owed', 'begun') ORDER BY number DESC LIMIT 1`;

const lastSentBy = `SELECT body FROM telling WHERE json_extract(body, '$.channel') = ?
  AND state IN ('done', 'failed', 'no-device') ORDER BY json_extract(body, '$.state.at') DESC, number DESC LIMIT 1`;

export function storedTellings(db: Database): Tellings {
  const sql = {
    mark: db.prepare("SELECT event FROM mark WHERE name = 'telling'"),
    setMark: db.prepare(
      "INSERT INTO mark VALUES ('telling', ?) ON CONFLICT (name) DO UPDATE SET event = excluded.event",
    ),
    dropMark: db.prepare("DELETE FROM mark WHERE name = 'telling'"),
    add: db.prepare('INSERT INTO telling (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    put: db.prepare('UPDATE telling SET body = ? WHERE id = ?'),
    open: db.prepare("SELECT body FROM telling WHERE state IN ('owed', 'begun') ORDER BY number"),
    lastTo: db.prepare(lastToldTo),
    lastDone: db.prepare(
      `SELECT body FROM telling WHERE state = 'done' AND json_extract(body, '$.channel') = ?
        AND json_extract(body, '$.to') = ? AND json_extract(body, '$.sessionId') = ?
        ORDER BY json_extract(body, '$.state.at') DESC LIMIT 1`,
    ),
    lastSent: db.prepare(lastSentBy),
    withReceipt: db.prepare(
      `SELECT body FROM telling WHERE state = 'done' AND json_extract(body, '$.channel') = ?
        AND json_extract(body, '$.state.receipt') = ?`,
    ),
    log: db.prepare(
      `SELECT body FROM telling WHERE json_extract(body, '$.channel') IN (SELECT value FROM json_each(?))
        ORDER BY number DESC LIMIT ?`,
    ),
    forget: db.prepare(
      `DELETE FROM telling WHERE number <= (SELECT max(number) FROM telling) - ${kept}
        AND state NOT IN ('owed', 'begun')`,
    ),
  };
  return {
    mark: async () => (sql.mark.get() as { event: number } | undefined)?.event ?? null,
    async owe(mark, tellings) {
      transact(db, () => {
        if (mark === null) sql.dropMark.run();
        else sql.setMark.run(mark);
        for (const telling of tellings) sql.add.run(telling.id, JSON.stringify(telling));
        if (tellings.length > 0) sql.forget.run();
      });
    },
    async put(telling) {
      transact(db, () => void sql.put.run(JSON.stringify(telling), telling.id));
    },
    open: async () => sql.open.all().map(toTelling),
    lastTo: async (channel, to) => {
      const row = sql.lastTo.get(channel, to);
      return row ? toTelling(row) : null;
    },
    lastDone: async (channel, to, sessionId) => {
      const row = sql.lastDone.get(channel, to, sessionId);
      return row ? toTelling(row) : null;
    },
    lastSent: async (channel) => {
      const row = sql.lastSent.get(channel);
      return row ? toTelling(row) : null;
    },
    withReceipt: async (channel, receipt) => {
      const row = sql.withReceipt.get(channel, receipt);
      return row ? toTelling(row) : null;
    },
    async record(telling) {
      transact(db, () => {
        sql.add.run(telling.id, JSON.stringify(telling));
        sql.forget.run();
      });
    },
    log: async (channels, limit) => sql.log.all(JSON.stringify(channels), limit).map(toTelling),
  };
}

/** For whoever looks at the file without a daemon. Null: nothing is known. */
export const lastToldIn = (file: string, channel: string, to: string): Telling | null =>
  rowIn(file, lastToldTo, [channel, to]);

export const lastSentIn = (file: string, channel: string): Telling | null =>
  rowIn(file, lastSentBy, [channel]);

function rowIn(file: string, query: string, values: readonly string[]): Telling | null {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row = db.prepare(query).get(...values);
    return row ? toTelling(row) : null;
  } finally {
    db.close();
  }
}

const toTelling = (row: unknown): Telling => JSON.parse((row as { body: string }).body) as Telling;

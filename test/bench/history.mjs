// A long history, in a database of the present schema: so many messages that have ended, with four events each, and as
// many other events and facts as are asked for. All of it happened in the given span of time.
import { DatabaseSync } from '@photostructure/sqlite';
import { importSource } from './sources.mjs';

export async function fillHistory(database, { messages, events, facts, from, to }) {
  const { openSqliteStore } = await importSource('src/store/sqlite/store.ts');
  await openSqliteStore(database).close();
  const db = new DatabaseSync(database);
  const count = (n) => `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${n})`;
  const at = (n) => `CAST(${from} + (${to} - ${from}) * (i * 1.0 / ${n}) AS INTEGER)`;
  const text = "'what is to be done ' || hex(randomblob(200))";
  db.exec('BEGIN');
  db.exec(`${count(messages)} INSERT INTO message (id, body) SELECT printf('%08x', i), json_object(
    'id', printf('%08x', i), 'to', 's' || (i % 50), 'from', json_object('kind', 'person'), 'text', ${text},
    'shown', NULL, 'headed', json('true'), 'mode', 'sequential',
    'notify', json_object('onStop', json('false'), 'onDelivery', json('false'), 'afterSeconds', NULL),
    'remind', NULL, 'evenCompacting', json('false'), 'createdAt', ${at(messages)}, 'order', i,
    'state', json_object('is', 'answered', 'at', ${at(messages)}, 'turn', 't' || i)) FROM c`);
  const evidence = "json_object('source', 'hook', 'id', hex(randomblob(16)), 'at', 1)";
  // In the order in which they happened, those of a message among the others.
  const each = Math.max(1, Math.round((events - 4 * messages) / Math.max(messages, 1)));
  db.exec(`${count(messages)}, kind(k, type) AS (
    VALUES (1, 'message-queued'), (2, 'message-typed'), (3, 'message-accepted'), (4, 'message-answered')
    UNION ALL SELECT 5, 'turn-ended' WHERE ${each} > 0
  ) INSERT INTO event (session_id, at, body) SELECT 's' || (i % 50), ${at(messages)}, CASE WHEN k < 5
    THEN json_object('type', type, 'message', printf('%08x', i), 'turn', 't' || i, 'evidence', ${evidence})
    ELSE json_object('type', type, 'turn', 't' || i, 'end', 'ended', 'lastWords', ${text}, 'evidence', ${evidence})
    END FROM c, kind ORDER BY i, k`);
  db.exec(`${count(facts)} INSERT INTO fact SELECT i || '-' || hex(randomblob(16)), ${at(facts)} FROM c`);
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

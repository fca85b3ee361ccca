// A long history in a database of the present schema: messages that have ended, with four events and one other each, and
// facts. All of it happened evenly between two times.
import { DatabaseSync } from '@photostructure/sqlite';
import { importSource } from './sources.mjs';

export async function fillHistory(database, { messages, facts, from, to }) {
  const { openSqliteStore } = await importSource('src/store/sqlite/store.ts');
  await openSqliteStore(database).close();
  const db = new DatabaseSync(database);
  const count = (n) => `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${n})`;
  const at = (n) => `CAST(${from} + (${to} - ${from}) * (i * 1.0 / ${n}) AS INTEGER)`;
  const id = "printf('%08x', i)";
  const text = "'what is to be done ' || hex(randomblob(200))";
  const evidence = "json_object('source', 'hook', 'id', hex(randomblob(16)), 'at', 1)";
  db.exec(`BEGIN;
    ${count(messages)} INSERT INTO message (id, body) SELECT ${id}, json_object(
      'id', ${id}, 'to', 's' || (i % 50), 'from', json_object('kind', 'person'), 'text', ${text}, 'mode', 'sequential',
      'createdAt', ${at(messages)}, 'order', i,
      'state', json_object('is', 'answered', 'at', ${at(messages)}, 'turn', 't' || i)
    ) FROM c;
    ${count(messages)}, kind(k, part) AS (
      VALUES (1, 'queued'), (2, 'typed'), (3, 'accepted'), (4, 'answered'), (5, 'ended')
    ) INSERT INTO event (session_id, at, body) SELECT 's' || (i % 50), ${at(messages)}, CASE k WHEN 5
      THEN json_object('type', 'turn', 'step', part, 'turn', 't' || i, 'end', 'ended', 'lastWords', ${text}, 'evidence', ${evidence})
      ELSE json_object('type', 'message', 'state', part, 'message', ${id}, 'turn', 't' || i, 'evidence', ${evidence})
      END FROM c, kind ORDER BY i, k;
    ${count(facts)} INSERT INTO fact SELECT i || '-' || hex(randomblob(16)), ${at(facts)} FROM c;
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}

// `sm digest` of a day with 50 agents, a whole process each time, in a history of 30 such days; what the daemon takes of
// it, and how long somebody else waits meanwhile.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { startDaemon } from '../daemon.mjs';
import { dist } from '../paths.mjs';
import { timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { fillSessions } from '../sessions.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 30;
const agents = 50;
const days = 30;
/** Of one agent in a day. */
const turnsEach = 100;
const day = 24 * 3_600_000;

/** A turn with its four events of a message, a sample, words, and now and then a question, a reminder, a compaction. */
function fillDays(home) {
  const db = new DatabaseSync(join(home, 'sm.db'));
  const count = agents * turnsEach * days;
  const step = (days * day) / count;
  const at = `CAST(${Date.now()} - (${count} - i) * ${step} AS INTEGER)`;
  const words = "'what was done and why ' || hex(randomblob(150))";
  db.exec(`PRAGMA synchronous = OFF; BEGIN;
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${count}),
    kind(k, type, part) AS (VALUES (1, 'message', 'queued'), (2, 'message', 'typed'), (3, 'message', 'accepted'),
      (4, 'turn', 'began'), (5, 'usage', 'sampled'), (6, 'question', 'asked'), (7, 'question', 'closed'),
      (8, 'reminder', 'sent'), (9, 'compaction', 'began'), (10, 'turn', 'ended'), (11, 'message', 'answered'))
    INSERT INTO event (session_id, at, body) SELECT printf('%08x', i % ${agents}), ${at}, CASE type
      WHEN 'message' THEN json_object('type', type, 'state', part, 'message', printf('%08x', i))
      WHEN 'turn' THEN json_object('type', type, 'step', part, 'turn', 't' || i, 'end', iif(i % 50, 'ended', 'failed'),
        'lastWords', iif(part = 'ended', ${words}, NULL))
      WHEN 'question' THEN json_object('type', type, 'step', part, 'kind', 'permission', 'text', ${words}, 'why', 'x')
      ELSE json_object('type', type, 'step', part, 'kind', 'soft', 'percentage', i % 100)
    END FROM c, kind WHERE k NOT IN (6, 7, 8, 9) OR i % 10 = k - 5 OR (k = 7 AND i % 10 = 1) ORDER BY i, k;
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
  const { events } = db.prepare('SELECT count(*) AS events FROM event').get();
  db.close();
  return events;
}

export async function measure() {
  let events = 0;
  const daemon = await startDaemon({
    prepare: async (home) => {
      await fillSessions(join(home, 'sm.db'), agents);
      events = fillDays(home);
    },
  });
  const program = join(dist, 'sm.cjs');
  const since = new Date(Date.now() - day).toISOString();
  const timed = async (path) => {
    const began = performance.now();
    await daemon.call('GET', path);
    return performance.now() - began;
  };
  const told = await daemon.call('GET', `/digest?since=${since}`);
  const samples = await interleave(rounds, {
    command: () => timeProcess(process.execPath, [program, 'digest', '--since', '24h'], { env: daemon.env }),
    bare: () => timeProcess(process.execPath, ['-e', '0'], { env: daemon.env }),
    request: () => timed(`/digest?since=${since}`),
  });
  const waits = [];
  for (let n = 0; n < rounds; n += 1) {
    let over = false;
    const digest = timed(`/digest?since=${since}`).then(() => {
      over = true;
    });
    while (!over) waits.push(await timed('/health'));
    await digest;
  }
  return [
    {
      name: 'digest',
      what: `sm digest of a day with ${agents} agents`,
      value: median(samples.command),
      unit: 'ms',
      goal: { atMost: 300 },
      detail: `${told.totals.turns_finished} turns of ${events.toLocaleString('en')} events in ${days} days; bare node ${round(median(samples.bare))}, the daemon ${round(median(samples.request))} ms`,
    },
    {
      name: 'digest-others',
      what: 'another request meanwhile (p99)',
      value: percentile(waits, 99),
      unit: 'ms',
      goal: { atMost: 20 },
      detail: `of ${waits.length}: p50 ${round(median(waits))} ms`,
    },
  ];
}

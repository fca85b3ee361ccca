// What one durable commit costs, alone and shared by fifty facts.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder } from '../cleanup.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 300;

export async function measure() {
  const { openSqliteStore } = await importSource('src/store/sqlite/store.ts');
  const store = openSqliteStore(join(temporaryFolder(), 'sm.db'));
  const commit = (count) => async () => {
    const batch = batchOf(count);
    const began = performance.now();
    await store.commit(batch);
    return performance.now() - began;
  };
  const { one, fifty } = await interleave(rounds, { one: commit(1), fifty: commit(50) });
  await store.close();
  return [
    figure('commit-1', 'commit of one fact', one),
    figure('commit-50', 'commit of fifty facts of as many sessions', fifty),
  ];
}

function figure(name, what, samples) {
  const detail = `p50 of ${samples.length}; p99 ${round(percentile(samples, 99))} ms`;
  return { name, what, value: median(samples), unit: 'ms', detail };
}

/** Of the size that sessions and facts usually have. */
function batchOf(count) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const at = Date.now();
  const session = (i) => ({
    id: `session-${i}`,
    process: { state: 'running' },
    lastActivityAt: at,
    rest: 'x'.repeat(600),
  });
  return {
    sessions: numbers.map(session),
    messages: [],
    events: [],
    owed: [],
    settled: [],
    facts: numbers.map(() => ({ id: `${at}-${randomUUID()}`, at })),
  };
}

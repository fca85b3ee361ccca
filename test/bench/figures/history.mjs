// What everybody else waits while old history is forgotten, and while a backup is made: of half a million events and a
// hundred thousand messages, a tenth is old. The same requests at rest are the yardstick.
import { execFile } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { fillHistory } from '../history.mjs';
import { dist } from '../paths.mjs';
import { round } from '../report.mjs';
import { median, percentile } from '../statistics.mjs';

const day = 24 * 3_600_000;
const keepDays = 30;
const oldShare = Number(process.env.BENCH_OLD_SHARE ?? 0.1);
const patienceMs = 900_000;
const between = 4;

export async function measure() {
  const span = (keepDays * day) / (1 - oldShare);
  const now = Date.now();
  const daemon = await startDaemon({
    history: { keep_days: keepDays },
    prepare: (home) =>
      fillHistory(join(home, 'sm.db'), { messages: 100_000, facts: 500_000, from: now - span, to: now }),
  });
  const [session] = await startSessions(daemon, 1);
  const report = () => daemon.call('POST', `/sessions/${session.id}/agent-status`, { text: 'at work' });

  /** How long requests that commit something take until the work is done. */
  async function beside(work) {
    let done = false;
    void work.finally(() => (done = true));
    const samples = [];
    while (!done) {
      const began = performance.now();
      await report();
      samples.push(performance.now() - began);
      await delay(between);
    }
    await work;
    return samples;
  }

  const forgotten = await beside(untilForgotten(daemon));
  const rest = await beside(delay(15_000));
  const began = performance.now();
  const file = join(mkdtempSync(join(temporaryFolder(), 'b-')), 'backup.db');
  const backedUp = await beside(
    promisify(execFile)(process.execPath, [join(dist, 'sm.cjs'), 'backup', file], { env: daemon.env }),
  );
  const seconds = round((performance.now() - began) / 1_000);
  const yardstick = `at rest: ${told(rest)}`;
  return [
    figure('forgetting', 'longest request while history is forgotten', forgotten, yardstick),
    figure('backup', 'longest request while a backup is made', backedUp, `took ${seconds} s; ${yardstick}`),
  ];
}

/** The space of nearly all that was old has been given back. */
async function untilForgotten({ database }) {
  const deadline = performance.now() + patienceMs;
  const goal = statSync(database).size * (1 - 0.8 * oldShare);
  while (statSync(database).size > goal) {
    if (performance.now() > deadline) throw new Error('the history was not forgotten');
    await delay(100);
  }
}

function figure(name, what, samples, yardstick) {
  const detail = `of ${samples.length}: ${told(samples)}; ${yardstick}`;
  return { name, what, value: Math.max(...samples), unit: 'ms', goal: { atMost: 20 }, detail };
}

const told = (samples) =>
  `p50 ${round(median(samples))}, p99 ${round(percentile(samples, 99))}, longest ${round(Math.max(...samples))} ms`;

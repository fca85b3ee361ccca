// The first 20 hits in a million messages, asked of the thread that the daemon asks; how long a step of taking them in
// keeps that thread from answering; and how much the index grows with each.
import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { temporaryFolder } from '../cleanup.mjs';
import { startDaemon } from '../daemon.mjs';
import { dist } from '../paths.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { median, percentile } from '../statistics.mjs';

const messages = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const wordsEach = 25;
const vocabulary = 20_000;
const sessions = 50;
const rounds = 10;
const requests = 3_000;

/** The same in every run. As in a language, few words are frequent and most are rare. */
function writer() {
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const letters = (n) => [...String(n)].map((digit) => 'aeioustrnl'[digit]).join('');
  return () => Array.from({ length: wordsEach }, () => letters(Math.floor(vocabulary ** random()))).join(' ');
}

async function fill(database) {
  const { openSqliteStore } = await importSource('src/store/sqlite/store.ts');
  await openSqliteStore(database).close();
  const db = new DatabaseSync(database);
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const addMessage = db.prepare('INSERT INTO message (id, body) VALUES (?, ?)');
  const addEvent = db.prepare('INSERT INTO event (session_id, at, body) VALUES (?, ?, ?)');
  const text = writer();
  const from = { kind: 'person' };
  for (let n = 0; n < messages; n += 1) {
    const id = n.toString(16).padStart(8, '0');
    const to = `s${n % sessions}`;
    const needle = n === Math.floor(messages / 3) ? ' needle' : '';
    const state = { is: 'answered', turn: null, at: n };
    addMessage.run(id, JSON.stringify({ id, to, from, text: text() + needle, createdAt: n, state }));
    addEvent.run(
      to,
      n,
      JSON.stringify({ type: 'message', message: id, state: 'queued', from, mode: 'sequential' }),
    );
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

const anything = { session: null, from: null, since: null, within: null, limit: 20, full: false };
const term = (words, prefix = false) => ({ words: words.split(' '), prefix });
const queries = {
  'a frequent word': { terms: [term('e')] },
  'a rare word': { terms: [term('needle')] },
  'a rare and a frequent word': { terms: [term('needle'), term('e')] },
  'three frequent words': { terms: [term('e'), term('i'), term('o')] },
  'a phrase': { terms: [term('e i')] },
  'a beginning': { terms: [term('ers', true)] },
  'a word in one session': { terms: [term('i')], session: 's7' },
  'nothing of a family': { terms: [term('e')], within: { eldest: 'nobody', self: 'nobody' } },
};

export async function measure() {
  const folder = mkdtempSync(join(temporaryFolder(), 's-'));
  const paths = { database: join(folder, 'sm.db'), index: join(folder, 'search.db'), handoffs: folder };
  await fill(paths.database);
  const { openSearchIndex } = await importSource('src/search/index.ts');
  const index = openSearchIndex(paths);
  const steps = [];
  const work = [];
  for (let more = true; more; ) {
    const began = performance.now();
    const cpu = process.cpuUsage();
    more = index.step();
    const { user, system } = process.cpuUsage(cpu);
    steps.push(performance.now() - began);
    work.push((user + system) / 1_000);
  }
  index.close();
  const bytes = statSync(paths.index).size / messages;

  const { searchBeside } = await importSource('src/search/search.ts');
  const { systemClock } = await importSource('src/daemon/clock.ts');
  const search = searchBeside(join(dist, 'search.cjs'), paths, systemClock());
  await search.find({ ...anything, terms: [term('warm')] });
  const figures = [];
  for (const [what, query] of Object.entries(queries)) {
    const samples = [];
    for (let n = 0; n < rounds; n += 1) {
      const began = performance.now();
      await search.find({ ...anything, ...query });
      samples.push(performance.now() - began);
    }
    figures.push({ what, value: median(samples), longest: Math.max(...samples) });
  }
  await search.close();
  const others = await meanwhile();
  const slowest = figures.reduce((a, b) => (b.longest > a.longest ? b : a));
  const all = figures.map(({ what, value }) => `${what} ${round(value)}`).join(', ');
  return [
    {
      name: 'search',
      what: `slowest search for 20 hits in ${messages.toLocaleString('en')} messages`,
      value: slowest.longest,
      unit: 'ms',
      goal: { atMost: 200 },
      detail: `it was ${slowest.what}; medians: ${all} ms`,
    },
    {
      name: 'search-step',
      what: 'a step of taking in what was there before (p99; nobody but a search waits for it)',
      value: percentile(steps, 99),
      unit: 'ms',
      goal: { atMost: 20 },
      detail: `of ${steps.length}: p50 ${round(median(steps))}, longest ${round(Math.max(...steps))} ms; of the processor p50 ${round(median(work))}, p99 ${round(percentile(work, 99))} ms`,
    },
    {
      name: 'search-growth',
      what: `the search index grows for each message of ${wordsEach} words`,
      value: bytes,
      unit: 'bytes',
      goal: { atMost: 200 },
      detail: `${round(bytes / wordsEach)} for each word`,
    },
    others,
  ];
}

/** Requests of a daemon that takes in an old history, in turns with those of one that has none. */
async function meanwhile() {
  const growing = await startDaemon({ prepare: (home) => fill(join(home, 'sm.db')) });
  const quiet = await startDaemon();
  const timed = async ({ call }) => {
    const began = performance.now();
    await call('GET', '/sessions');
    return performance.now() - began;
  };
  const samples = { growing: [], quiet: [] };
  const index = join(growing.home, 'search.db');
  const size = () => (existsSync(index) ? statSync(index).size : 0);
  const before = size();
  while (samples.growing.length < requests) {
    samples.growing.push(await timed(growing));
    samples.quiet.push(await timed(quiet));
  }
  const grown = size() - before;
  const [with_, without] = [percentile(samples.growing, 99), percentile(samples.quiet, 99)];
  return {
    name: 'search-others',
    what: 'a request of the daemon while an old history is taken in (p99, against one that has none)',
    value: with_ / without,
    unit: 'x',
    goal: { atMost: 2 },
    detail: `${round(with_)} against ${round(without)} ms; p50 ${round(median(samples.growing))} against ${round(median(samples.quiet))} ms; the index grew by ${round(grown / 1e6)} MB in ${requests} requests each`,
  };
}

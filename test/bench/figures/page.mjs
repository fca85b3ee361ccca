// The page: what it weighs, how soon it is there, what it costs while nobody does anything, and what looking at terminals
// leaves behind. Without Chromium only what needs none is measured.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { atTheEnd } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { openStandIn } from '../page-stand-in.mjs';
import { dist } from '../paths.mjs';
import { childrenOf, cpuNanoseconds } from '../processes.mjs';
import { round } from '../report.mjs';
import { median } from '../statistics.mjs';

const pages = 10;
const restSeconds = 20;
const paints = 10;
const openings = Number(process.env.BENCH_PAGE_OPENINGS ?? 1_000);
/** As many as 200 sessions tell in 8 hours, if each does something every minute. */
const longDay = Number(process.env.BENCH_PAGE_EVENTS ?? 200 * 8 * 60);
const program = process.env.SM_TEST_CHROMIUM ?? '/usr/bin/chromium';

export async function measure() {
  const daemon = await startDaemon();
  const sessions = await startSessions(daemon, 5);
  const figures = [...(await openTerminals(daemon, sessions[0]))];
  if (!existsSync(program)) return figures;
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  atTheEnd(() => browser.close());
  return [
    ...(await weigh(browser, daemon, sessions[0])),
    ...(await paint(browser, daemon)),
    await rest(browser, daemon),
    ...(await busy(browser, daemon, sessions[0])),
    ...figures,
  ];
}

const link = ({ env }) =>
  execFileSync(process.execPath, [join(dist, 'sm.cjs'), 'open', '--print'], { env, encoding: 'utf8' }).trim();

async function signedIn(browser, daemon) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link(daemon));
  await page.locator('.session').first().waitFor();
  return { context, page };
}

/** What the browser has really asked for, as it comes over the wire. */
async function weigh(browser, daemon, session) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const files = new Set();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/' || pathname.startsWith('/assets/'))
      files.add(pathname === '/' ? 'index.html' : pathname);
  });
  const weight = () =>
    [...files].reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(dist, 'web', file)), { level: 9 }).length,
      0,
    ) / 1024;
  await page.goto(link(daemon));
  await page.locator('.session').first().waitFor();
  const overview = weight();
  await page.goto(`http://127.0.0.1:${daemon.port}/#s/${session.id}/terminal`);
  await page.locator('.pane .line').first().waitFor();
  const all = weight();
  await context.close();
  const detail = `${files.size} files with the terminal`;
  return [
    {
      name: 'page-size',
      what: 'The page: overview, gzip',
      value: overview,
      unit: 'KB',
      goal: { atMost: 30 },
      detail,
    },
    {
      name: 'page-size-terminal',
      what: 'The page: with a terminal, gzip',
      value: all,
      unit: 'KB',
      goal: { atMost: 150 },
      detail,
    },
  ];
}

async function paint(browser, daemon) {
  const { context, page } = await signedIn(browser, daemon);
  const [painted, listed] = [[], []];
  for (let n = 0; n < paints; n += 1) {
    await page.goto('about:blank');
    await page.goto(`http://127.0.0.1:${daemon.port}/`);
    await page.locator('.session').first().waitFor();
    const [first, list] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      performance.now(),
    ]);
    painted.push(first);
    listed.push(list);
  }
  await context.close();
  const detail = `of ${paints}; the sessions are listed after ${round(median(listed))} ms at most`;
  return [
    {
      name: 'page-paint',
      what: 'The page: first paint, median',
      value: median(painted),
      unit: 'ms',
      goal: { atMost: 300 },
      detail,
    },
  ];
}

async function rest(browser, daemon) {
  const opened = [];
  for (let n = 0; n < pages; n += 1) opened.push(await signedIn(browser, daemon));
  await delay(3_000);
  const before = cpuNanoseconds(daemon.pid);
  await delay(restSeconds * 1_000);
  const used = ((cpuNanoseconds(daemon.pid) - before) / 1e9 / restSeconds) * 100;
  for (const { context } of opened) await context.close();
  return {
    name: 'page-rest',
    what: `The page: ${pages} open at rest, CPU of the daemon`,
    value: used,
    unit: '%',
    goal: { atMost: 0.2 },
    detail: `of one core, over ${restSeconds} s`,
  };
}

/** 200 sessions: at 50 events a second, and after the events of a long day. */
async function busy(browser, daemon, { id }) {
  const view = await new Promise((resolve, reject) =>
    get({ socketPath: daemon.socket, path: `/sessions/${id}` }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve(JSON.parse(text));
    }).once('error', reject),
  );
  const standIn = await openStandIn(view, 200);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${standIn.address}/#code=AAAA-BBBB`);
    await page.locator('.session').nth(199).waitFor({ state: 'attached' });
    await delay(1_000);
    await page.evaluate(countFrames);
    await delay(3_000);
    const atRest = await page.evaluate('window.framesSoFar()');
    await page.evaluate(countFrames);
    await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
    for (let tick = 0; tick < 100; tick += 1) {
      await standIn.happen(5);
      await delay(100);
    }
    const frames = await page.evaluate('window.framesSoFar()');
    const tasks = tasksIn(await browser.stopTracing());
    await page.evaluate("location.hash = '#flow'");
    await page.locator('.who li').first().waitFor();
    for (let told = 0; told < longDay; told += 200) {
      if (told === Math.floor(longDay / 400) * 200) await page.evaluate("location.hash = '#all'");
      await standIn.happen(200);
    }
    await page.getByText(standIn.last(), { exact: false }).first().waitFor({ state: 'attached' });
    const tools = await context.newCDPSession(page);
    await tools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await tools.send('Runtime.getHeapUsage');
    return [
      {
        name: 'page-long-task',
        what: 'The page: 200 sessions, 50 events/s for 10 s: the longest task',
        value: Math.max(...tasks.map(({ cpu }) => cpu)),
        unit: 'ms',
        goal: { atMost: 50 },
        detail: `of processor time; ${tasks.length} tasks, ${tasks.filter(({ wall }) => wall > 50).length} of which took longer than 50 ms by the clock`,
      },
      {
        name: 'page-frames',
        what: 'The page: 200 sessions, 50 events/s for 10 s: frames',
        value: frames.perSecond,
        unit: '/s',
        goal: { atLeast: 58 },
        detail: `the longest took ${round(frames.longest)} ms; without any event ${round(atRest.perSecond)} /s: the rest is the machine`,
      },
      {
        name: 'page-heap',
        what: `The page: 200 sessions, heap after ${longDay} events`,
        value: usedSize / 1024 / 1024,
        unit: 'MB',
        goal: { atMost: 100 },
        detail: 'half of them on the flow, half on the list',
      },
    ];
  } finally {
    await context.close();
    standIn.close();
  }
}

/** Asks for each frame that the browser would draw. */
const countFrames = `{
  const times = [];
  let counting = true;
  const frame = (at) => { times.push(at); if (counting) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  window.framesSoFar = () => {
    counting = false;
    const gaps = times.slice(1).map((at, n) => at - times[n]);
    return { perSecond: (gaps.length * 1000) / (times.at(-1) - times[0]), longest: Math.max(...gaps) };
  };
}`;

/** On the thread that has most of the work, which is the page's own: in ms of processor time, which other work does not change. */
function tasksIn(trace) {
  const byThread = new Map();
  for (const { name, tid, pid, dur = 0, tdur = 0 } of JSON.parse(trace.toString()).traceEvents) {
    if (name !== 'RunTask') continue;
    const thread = `${pid} ${tid}`;
    byThread.set(thread, [...(byThread.get(thread) ?? []), { cpu: tdur / 1_000, wall: dur / 1_000 }]);
  }
  const all = ([, tasks]) => tasks.reduce((sum, { cpu }) => sum + cpu, 0);
  return [...byThread].sort((one, other) => all(other) - all(one))[0]?.[1] ?? [];
}

/** As a browser does that opens a terminal and leaves. */
async function openTerminals(daemon, { id }) {
  const look = () =>
    new Promise((resolve, reject) => {
      const request = get(
        {
          socketPath: daemon.socket,
          path: `/sessions/${id}/screen`,
          headers: { accept: 'text/event-stream' },
          agent: false,
        },
        (answer) =>
          answer.once('data', () => {
            request.destroy();
            resolve();
          }),
      );
      request.once('error', (error) => (error.code === 'ECONNRESET' ? resolve() : reject(error)));
    });
  const left = () => ({
    processes: childrenOf(daemon.pid).length,
    files: readdirSync(`/proc/${daemon.pid}/fd`).length,
    clients: execFileSync('tmux', ['-S', daemon.tmuxSocket, 'list-clients'], { encoding: 'utf8' })
      .trim()
      .split('\n').length,
  });
  for (let n = 0; n < 20; n += 1) await look();
  await delay(2_000);
  const before = left();
  for (let n = 0; n < openings; n += 1) await look();
  await delay(2_000);
  const after = left();
  const more = Object.keys(before).map((kind) => Math.max(0, after[kind] - before[kind]));
  return [
    {
      name: 'page-terminals',
      what: `${openings} terminals opened and left: what stays`,
      value: more.reduce((sum, each) => sum + each, 0),
      unit: '',
      goal: { atMost: 0 },
      detail: `processes ${before.processes} → ${after.processes}, files ${before.files} → ${after.files}, tmux clients ${before.clients} → ${after.clients}`,
    },
  ];
}

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
import { dist } from '../paths.mjs';
import { childrenOf, cpuNanoseconds } from '../processes.mjs';
import { round } from '../report.mjs';
import { median } from '../statistics.mjs';

const pages = 10;
const restSeconds = 20;
const paints = 10;
const openings = Number(process.env.BENCH_PAGE_OPENINGS ?? 1_000);
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

// `sm watch`: quiet at rest, fast at a key and at an event, and of the same size after a long day.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDaemon, startSessions } from '../daemon.mjs';
import { childrenOf, cpuNanoseconds, idleCpu, residentMiB, startedBy } from '../processes.mjs';
import { round } from '../report.mjs';
import { onPty, openScreen } from '../screen.mjs';
import { fillSessions } from '../sessions.mjs';
import { median, percentile } from '../statistics.mjs';

const resting = 200;
const restSeconds = 30;
const many = 1_000;
const keys = 500;
const events = 200;
const eventsPerSecond = 20;
/** So many events as these minutes have; they come as fast as the daemon takes them. */
const minutes = Number(process.env.BENCH_SCREEN_MINUTES ?? 60);
const atOnce = 8;
const parts = 12;

export async function measure() {
  const quiet = await startDaemon();
  const sessions = await startSessions(quiet, resting);
  const rest = await atRest(quiet);
  const full = await startDaemon({ prepare: (home) => fillSessions(join(home, 'sm.db'), many) });
  const fast = await withMany(full);
  return [...rest, ...fast, await memory(quiet, sessions)];
}

async function atRest(daemon) {
  const screen = await openAndSettle(daemon, '❯');
  const tmuxServer = Number(
    execFileSync('tmux', ['-S', daemon.tmuxSocket, 'display-message', '-p', '#{pid}']),
  );
  const pids = [screen.pid, daemon.pid];
  const started = startedBy([...pids, tmuxServer, ...childrenOf(daemon.pid)]);
  const { bytes } = screen;
  const spans = await idleCpu(
    pids.map((pid) => () => cpuNanoseconds(pid) / 1e9),
    restSeconds,
  );
  const all = spans.map(([ofScreen, ofDaemon]) => ofScreen + ofDaemon);
  const part = (at) => round(median(spans.map((each) => each[at])));
  const what = `sm watch at rest, ${resting} sessions:`;
  const goal = { atMost: 0 };
  const span = `in ${spans.length * restSeconds} s`;
  return [
    {
      name: 'screen-bytes',
      what: `${what} written`,
      value: screen.bytes - bytes,
      unit: 'B',
      goal,
      detail: span,
    },
    {
      name: 'screen-processes',
      what: `${what} processes`,
      value: started(),
      unit: '',
      goal,
      detail: `started ${span} by screen, daemon, tmux`,
    },
    {
      name: 'screen-cpu',
      what: `${what} CPU, of one core`,
      value: median(all),
      unit: '%',
      goal: { atMost: 0.2 },
      detail: `screen ${part(0)}, daemon ${part(1)} %; p50 of ${spans.length} × ${restSeconds} s: ${all.map(round).join(', ')} %`,
    },
  ];
}

/** Keys and events in turns with what a program costs that only echoes: the rest is the machine and the pty. */
async function withMany(daemon) {
  const seen = await startLive(daemon);
  const screen = await openAndSettle(daemon, 'worker-');
  const echo = onPty('stty raw -echo; echo ready; exec cat', daemon);
  await echo.after(
    () => {},
    (written) => written.includes('ready'),
  );
  const samples = { key: [], echo: [], event: [] };
  for (let n = 0; n < keys; n += 1) {
    // Far down, and back: the list scrolls, too.
    samples.key.push(await screen.press(n % 100 < 50 ? 'j' : 'k'));
    samples.echo.push(await echo.press('x'));
    await untilQuiet(screen);
  }
  // The only one in the list, so that it is seen.
  await screen.press(`/${seen.id}\r`);
  await untilQuiet(screen);
  for (let n = 0; n < events; n += 1) {
    // No cell stays as it was, so that all of it is written.
    const task = (n % 2 === 0 ? 'abcdefgh' : 'stuvwxyz').slice(n % 7 === 0 ? 1 : 0);
    samples.event.push(
      await screen.after(
        () => setTask(daemon, seen, task),
        (written) => written.includes(task),
      ),
    );
    await untilQuiet(screen);
  }
  const line = (of) =>
    `p50 ${round(median(of))}, p99 ${round(percentile(of, 99))}, most ${round(Math.max(...of))} ms`;
  return [
    {
      name: 'screen-key',
      what: `sm watch: a key is painted, ${many} sessions, p99`,
      value: percentile(samples.key, 99),
      unit: 'ms',
      goal: { atMost: 16 },
      detail: `${line(samples.key)}; cat on such a pty: ${line(samples.echo)}`,
    },
    {
      name: 'screen-event',
      what: `sm watch: an event is shown, ${many} sessions, p99`,
      value: percentile(samples.event, 99),
      unit: 'ms',
      goal: { atMost: 100 },
      detail: `from the request to the text in the terminal: ${line(samples.event)}`,
    },
  ];
}

/** What it holds when all that nobody holds is taken away: at a third of the events, and at the end. */
async function memory(daemon, sessions) {
  const heap = join(daemon.work, 'heap');
  const screen = await openAndSettle(daemon, '❯', { heap });
  const total = minutes * 60 * eventsPerSecond;
  const began = performance.now();
  const resident = [];
  let done = 0;
  for (let part = 1; part <= parts; part += 1) {
    const until = Math.round((total * part) / parts);
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (done < until) {
          const n = done++;
          await setTask(daemon, sessions[n % 20], `step ${n} of a long day`);
        }
      }),
    );
    await untilQuiet(screen, 100);
    process.kill(screen.pid, 'SIGUSR2');
    while (heapsIn(heap).length < part) await delay(20);
    resident.push(residentMiB(screen.pid));
  }
  const heaps = heapsIn(heap);
  const [early, last] = [heaps[parts / 3 - 1], heaps.at(-1)];
  const seconds = (performance.now() - began) / 1_000;
  return {
    name: 'screen-memory',
    what: `sm watch: heap after ${total.toLocaleString('en')} events, against a third of them`,
    value: last - early,
    unit: 'MiB',
    goal: { atMost: 1 },
    detail: `as many as in ${minutes} min of ${eventsPerSecond}/s, in ${round(seconds)} s; heap ${heaps.map(round).join(', ')} MiB; resident ${round(resident[0])} to ${round(resident.at(-1))} MiB`,
  };
}

const heapsIn = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((bytes) => Number(bytes) / 2 ** 20)
    : [];

/** One that has not exited: only such a one shows its task. */
async function startLive(daemon) {
  const { id } = await daemon.call('POST', '/sessions', { provider: 'claude', working_dir: daemon.work });
  while ((await daemon.call('GET', `/sessions/${id}`)).phase !== 'idle') await delay(100);
  return { id };
}

const setTask = (daemon, { id }, task) => daemon.call('PUT', `/sessions/${id}/task`, { task });

async function openAndSettle(daemon, text, options) {
  const screen = openScreen(daemon, options);
  await screen.after(
    () => {},
    (written) => written.includes(text),
  );
  await untilQuiet(screen, 2_000);
  return screen;
}

/** Nothing more comes of what was done before. */
async function untilQuiet(screen, ms = 20) {
  for (let before = -1; before !== screen.bytes; ) {
    before = screen.bytes;
    await delay(ms);
  }
}

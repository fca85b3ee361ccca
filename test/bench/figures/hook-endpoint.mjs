// The hook endpoint with 50 sessions at once (quiet agents in real panes), each on a connection of its own that posts
// one fact after another, against the least that a durable endpoint can do. The same client, in turns.
import { DatabaseSync } from '@photostructure/sqlite';
import { startDaemon, startSessions } from '../daemon.mjs';
import { hookRequest, postToolUse } from '../hook-body.mjs';
import { load, startEchoServer } from '../load.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const sessionCount = 50;
const rounds = 6;
const seconds = 1.5;

export async function measure() {
  const daemon = await startDaemon();
  const sessions = await startSessions(daemon, sessionCount);
  const echo = await startEchoServer();
  let answered = 0;

  /** Facts per second over one door of one server, and how long each took. */
  const loadOn = (at) => async () => {
    const connections = sessions.map((session) => ({
      at,
      request: hookRequest(postToolUse(session, daemon.work), {
        'x-sm-session': session.id,
        'x-sm-kind': 'hook',
        'x-sm-fact': '%ID%',
      }),
    }));
    const { latencies, milliseconds } = await load({ connections, seconds }).finished;
    const all = latencies.flat();
    if (at.path === daemon.socket || at.port === daemon.port) answered += all.length;
    return { rate: (all.length * 1_000) / milliseconds, latencies: all };
  };

  const runs = await interleave(
    rounds,
    {
      echoUnix: loadOn({ path: echo.socket }),
      unix: loadOn({ path: daemon.socket }),
      echoTcp: loadOn({ host: '127.0.0.1', port: echo.port }),
      tcp: loadOn({ host: '127.0.0.1', port: daemon.port }),
    },
    1,
  );
  checkStored(daemon.database, answered);
  return [
    ...figures('unix', 'unix socket', runs.unix, runs.echoUnix),
    ...figures('tcp', 'TCP', runs.tcp, runs.echoTcp),
  ];
}

function figures(door, name, ours, yardstick) {
  const rate = (runs) => median(runs.map((run) => run.rate));
  const ratios = ours.map((run, i) => run.rate / yardstick[i].rate);
  const latencies = ours.flatMap((run) => run.latencies);
  const theirs = yardstick.flatMap((run) => run.latencies);
  return [
    {
      name: `hook-endpoint-${door}-rate`,
      what: `hook endpoint, 50 at once, ${name}: rate`,
      value: rate(ours) / rate(yardstick),
      unit: 'x',
      goal: { atLeast: 0.5 },
      detail: `${round(rate(ours))}/s against ${round(rate(yardstick))}/s for a bare echo; ${round(Math.min(...ratios))}-${round(Math.max(...ratios))} by round`,
    },
    {
      name: `hook-endpoint-${door}-p99`,
      what: `hook endpoint, 50 at once, ${name}: p99`,
      value: percentile(latencies, 99),
      unit: 'ms',
      goal: { atMost: 50 },
      detail: `p50 ${round(median(latencies))} ms; the bare echo: p50 ${round(median(theirs))}, p99 ${round(percentile(theirs, 99))} ms`,
    },
  ];
}

/** Whatever was answered must be in the database: a benchmark of something else would be worth nothing. */
function checkStored(file, answered) {
  const db = new DatabaseSync(file, { readOnly: true });
  const { stored } = db.prepare('SELECT count(*) AS stored FROM fact').get();
  db.close();
  if (stored < answered) throw new Error(`${answered} facts were answered, and only ${stored} are stored`);
}

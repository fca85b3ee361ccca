// The hook endpoint with 50 sessions at once (quiet agents in real panes), each on a connection of its own that posts
// one fact after another, against the least that a durable endpoint can do. The same client, in short turns.
import { DatabaseSync } from '@photostructure/sqlite';
import { callerKey, startDaemon, startSessions } from '../daemon.mjs';
import { hookRequest, postRequest, postToolUse } from '../hook-body.mjs';
import { startEchoServer, startLoadClient } from '../load.mjs';
import { cpuSeconds } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const sessionCount = 50;
const rounds = 12;
/** Until both programs are compiled: the first thousands of requests cost several times as much. */
const warmUpRounds = 6;
const seconds = 0.8;

export async function measure() {
  const daemon = await startDaemon();
  const sessions = await startSessions(daemon, sessionCount);
  const echo = await startEchoServer();
  const client = startLoadClient();
  const requests = sessions.map((session) =>
    hookRequest(postToolUse(session, daemon.work), {
      authorization: `Bearer ${daemon.token}`,
      'x-sm-caller': callerKey(daemon, session.id),
      'x-sm-session': session.id,
      'x-sm-kind': 'hook',
      'x-sm-fact': '%ID%',
    }),
  );
  const samples = sessions.map(({ id }) =>
    postRequest(
      '/hooks/context-usage',
      { session_id: id, used_percentage: 41.5, total_input_tokens: 83_000, context_window_size: 200_000 },
      { authorization: `Bearer ${daemon.token}` },
    ),
  );
  let answered = 0;

  /** One short load on one door of one server. */
  const turn =
    (server, at, what = requests) =>
    async () => {
      const cpuBefore = cpuSeconds([server.pid]);
      const connections = what.map((request) => ({ at, request }));
      const { latencies, milliseconds } = await client.run({ connections, seconds });
      const all = latencies.flat();
      if (what === requests && server === daemon) answered += all.length;
      const cpu = ((cpuSeconds([server.pid]) - cpuBefore) * 1e6) / all.length;
      return { rate: (all.length * 1_000) / milliseconds, cpu, latencies: all };
    };

  const runs = await interleave(
    rounds,
    {
      echoUnix: turn(echo, { path: echo.socket }),
      unix: turn(daemon, { path: daemon.socket }),
      echoTcp: turn(echo, { host: '127.0.0.1', port: echo.port }),
      tcp: turn(daemon, { host: '127.0.0.1', port: daemon.port }),
      usage: turn(daemon, { host: '127.0.0.1', port: daemon.port }, samples),
    },
    warmUpRounds,
  );
  checkStored(daemon.database, answered);
  return [
    ...figures('unix', 'unix socket', runs.unix, runs.echoUnix),
    ...figures('tcp', 'TCP', runs.tcp, runs.echoTcp),
    sampleFigure(runs.usage, runs.tcp),
  ];
}

function figures(door, name, ours, yardstick) {
  const middle = (runs, what) => median(runs.map((run) => run[what]));
  const latencies = ours.flatMap((run) => run.latencies);
  const theirs = yardstick.flatMap((run) => run.latencies);
  const ratios = ours.map((run, i) => run.rate / yardstick[i].rate);
  const rates = `${round(middle(ours, 'rate'))}/s against ${round(middle(yardstick, 'rate'))}/s for a bare echo`;
  const cpu = `CPU ${round(middle(ours, 'cpu'))} against ${round(middle(yardstick, 'cpu'))} us each`;
  const noise = `${round(Math.min(...ratios))}-${round(Math.max(...ratios))} by turn`;
  return [
    {
      name: `hook-endpoint-${door}-rate`,
      what: `hook endpoint, 50 at once, ${name}: rate`,
      // Of neighbouring turns, which met the same machine.
      value: median(ratios),
      unit: 'x',
      goal: { atLeast: 0.5 },
      detail: `${rates}; ${cpu}; ${noise}`,
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

/** Programs of users post samples, and cannot know whether something of their session waits in the spool. */
function sampleFigure(samples, facts) {
  const each = (runs) => round(median(runs.map(({ cpu }) => cpu)));
  return {
    name: 'usage-post',
    what: 'a sample of usage that is posted, TCP: CPU',
    value: median(samples.map(({ cpu }, i) => cpu / facts[i].cpu)),
    unit: 'x',
    goal: { atMost: 1.5 },
    detail: `${each(samples)} against ${each(facts)} us for a fact of our own hook; ${round(median(samples.map(({ rate }) => rate)))}/s`,
  };
}

/** Whatever was answered must be in the database: a benchmark of something else would be worth nothing. */
function checkStored(file, answered) {
  const db = new DatabaseSync(file, { readOnly: true });
  const { stored } = db.prepare('SELECT count(*) AS stored FROM fact').get();
  db.close();
  if (stored < answered) throw new Error(`${answered} facts were answered, and only ${stored} are stored`);
}

// Messages that wait: what it costs to put one there for good, whether that depends on how many wait already, and how
// fast they go once the agent has time for them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { startDaemon, startSessions } from '../daemon.mjs';
import { postRequest } from '../hook-body.mjs';
import { startEchoServer, startLoadClient } from '../load.mjs';
import { is, keepBusy, newestEvent, send, timeOf, untilEvent } from '../messages.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const clients = 10;
const rounds = 10;
const seconds = 0.5;
const short = 10;
const long = 10_000;
const pairs = 300;
const drained = 1_000;

export async function measure() {
  const daemon = await startDaemon();
  const [busy, few, many, eager] = await startSessions(daemon, 4, { provider: 'scripted' });
  for (const { id } of [busy, few, many]) await keepBusy(daemon, id);
  const client = startLoadClient();
  const echo = await startEchoServer();

  /** Puts load on one session: so many clients, each of which sends one message after another. */
  const load = (session, how, { socket } = daemon) => {
    const request = postRequest(`/sessions/${session.id}/input`, { text: 'a message of the usual kind' });
    return client.run({ connections: Array(clients).fill({ at: { path: socket }, request }), ...how });
  };
  return [
    await enqueue(daemon, echo, busy, load),
    await depth(daemon, few, many, load),
    await drain(daemon, eager, load),
  ];
}

async function enqueue(daemon, echo, session, load) {
  let answered = 0;
  /** One short load on one server. */
  const turn = (server) => async () => {
    const { latencies, milliseconds } = await load(session, { seconds }, server);
    const all = latencies.flat();
    if (server === daemon) answered += all.length;
    return { rate: (all.length * 1_000) / milliseconds, latencies: all };
  };
  const { ours, bare } = await interleave(rounds, { ours: turn(daemon), bare: turn(echo) });
  checkStored(daemon.database, session.id, answered);
  const rates = ours.map(({ rate }) => rate);
  const latencies = ours.flatMap((run) => run.latencies);
  const noise = `${round(Math.min(...rates))}-${round(Math.max(...rates))} by turn`;
  const times = `p50 ${round(median(latencies))}, p99 ${round(percentile(latencies, 99))} ms`;
  const yardstick = `a bare echo that synchronises: ${round(median(bare.map(({ rate }) => rate)))}/s`;
  return {
    name: 'enqueue',
    what: 'durable enqueue, 10 clients',
    value: median(rates),
    unit: 'msg/s',
    goal: { atLeast: 2_000 },
    detail: `${noise}; ${times}; ${yardstick}; ${answered} waited at the end`,
  };
}

/** Whatever was answered must be in the database: a benchmark of something else would be worth nothing. */
function checkStored(file, session, answered) {
  const db = new DatabaseSync(file, { readOnly: true });
  const { stored } = db.prepare('SELECT count(*) AS stored FROM message WHERE session_id = ?').get(session);
  db.close();
  if (stored < answered) throw new Error(`${answered} messages were answered, and only ${stored} are stored`);
}

/** The same message to a short queue and to a long one, in turns, and taken back at once. */
async function depth(daemon, few, many, load) {
  for (let i = 1; i < short; i += 1) await send(daemon, few.id, 'waits');
  await load(many, { requests: long / clients });
  const once =
    ({ id }) =>
    async () => {
      const began = performance.now();
      const { message_id: message } = await send(daemon, id, 'one more');
      const took = performance.now() - began;
      await daemon.call('POST', `/messages/${message}/withdraw`);
      return took;
    };
  const samples = await interleave(pairs, { tenth: once(few), last: once(many) });
  const [tenth, last] = [median(samples.tenth), median(samples.last)];
  return {
    name: 'enqueue-depth',
    what: 'the 10,000th waiting message against the 10th',
    value: last / tenth,
    unit: 'x',
    goal: { atMost: 1.2 },
    detail: `${round(last)} ms against ${round(tenth)} ms, p50 of ${pairs}`,
  };
}

/** From the end of the turn for which they wait until the agent has the last of them. */
async function drain(daemon, session, load) {
  const gate = join(daemon.work, 'go');
  await keepBusy(daemon, session.id, `[[wait ${gate}]]`);
  await load(session, { requests: drained / clients });
  const before = await newestEvent(daemon, session.id);
  writeFileSync(gate, '');
  const began = await untilEvent(daemon, session.id, is('turn ended'), before);
  let left = drained;
  const last = await untilEvent(
    daemon,
    session.id,
    (event) => {
      if (is('message accepted')(event)) left -= 1;
      return left === 0;
    },
    began.number,
  );
  return {
    name: 'drain',
    what: 'draining 1,000 waiting messages',
    value: (timeOf(last) - timeOf(began)) / 1_000,
    unit: 's',
    goal: { atMost: 5 },
    detail: 'scripted agent that answers at once',
  };
}

// What the end of a turn sets off: the Enter of the message that waited for it, and the notice to the one who asked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ownAgent, startDaemon, startSessions } from '../daemon.mjs';
import { hookFact } from '../hook-body.mjs';
import { is, newestEvent, send, timeOf, untilEvent } from '../messages.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 50;
const patienceMs = 5_000;

export async function measure() {
  const toEnter = await enters();
  const toNotice = await notices();
  return [
    figure('stop-to-enter', "Stop until the waiting message's Enter", toEnter, 30),
    figure('stop-to-notice', 'Stop of one until its notice is accepted by another', toNotice, 60),
  ];
}

function figure(name, what, samples, atMost) {
  const detail = `p50 of ${samples.length}; p95 ${round(percentile(samples, 95))}, fastest ${round(Math.min(...samples))} ms`;
  return { name, what, value: median(samples), unit: 'ms', goal: { atMost }, detail };
}

/** From the request that tells the Stop until the Enter is read in the pane: the agent notes when that is. */
async function enters() {
  const daemon = await startDaemon({ claude: ownAgent('noting-agent.mjs') });
  const [session] = await startSessions(daemon, 1);
  const file = join(daemon.work, `${session.context.provider_id}.enters`);
  const noted = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(Number) : []);
  const tell = (name, turn, more) => daemon.call(...hookFact(session, daemon.work, name, turn, more));

  const { enter } = await interleave(rounds, {
    async enter(round) {
      const first = `work-${round}`;
      await tell('UserPromptSubmit', first, { prompt: 'work' });
      const { message_id: id } = await send(daemon, session.id, 'next');
      const before = noted().length;
      const began = performance.timeOrigin + performance.now();
      await tell('Stop', first, { last_assistant_message: 'done' });
      const pressed = await untilMore(noted, before);
      const second = `next-${round}`;
      await tell('UserPromptSubmit', second, { prompt: `[sm] from the user #${id}:\nnext` });
      await tell('Stop', second, { last_assistant_message: 'done' });
      return pressed - began;
    },
  });
  return enter;
}

async function untilMore(noted, before) {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(2)) {
    const times = noted();
    if (times.length > before) return times[before];
  }
  throw new Error('no Enter came');
}

/** From the moment at which the daemon hears the scripted agent's Stop until it hears that the other has the notice. */
async function notices() {
  const daemon = await startDaemon();
  const [worker, boss] = await startSessions(daemon, 2, { provider: 'scripted' });
  const { notice } = await interleave(rounds, {
    async notice() {
      const [ofWorker, ofBoss] = [await newestEvent(daemon, worker.id), await newestEvent(daemon, boss.id)];
      await send(daemon, worker.id, 'hello', { sender_session_id: boss.id });
      const stop = await untilEvent(daemon, worker.id, is('turn ended'), ofWorker);
      const accepted = await untilEvent(daemon, boss.id, is('message accepted'), ofBoss);
      await untilEvent(daemon, boss.id, is('turn ended'), ofBoss);
      return timeOf(accepted) - timeOf(stop);
    },
  });
  return notice;
}

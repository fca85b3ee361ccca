// Reminders: how punctual they are, and whether it matters how many of them wait. One daemon has one that waits, the
// other a thousand.
import { startDaemon, startSessions, untilIdle } from '../daemon.mjs';
import { is, newestEvent, timeOf, untilEvent } from '../messages.mjs';
import { cpuNanoseconds, idleCpu } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const active = 1_000;
const holders = 10;
const hour = 3_600;
const pairs = 200;
const firings = 20;
const seconds = 20;

export async function measure() {
  const few = await startDaemon();
  const many = await startDaemon();
  const [one] = await startSessions(few, 1);
  const [all, ...others] = await startSessions(many, holders + 1);
  await remind(few, one.id, hour);
  for (const { id } of others)
    await Promise.all(Array.from({ length: active / holders }, () => remind(many, id, hour)));
  return [await idle(few, many), ...(await changes([few, one], [many, all])), await punctuality(many)];
}

const remind = (daemon, session_id, delay_seconds) =>
  daemon.call('POST', '/scheduler/remind', { session_id, delay_seconds, message: 'look' });

/** Both at the same time, so that they are measured on the same machine. */
async function idle(few, many) {
  const meterOf =
    ({ pid }) =>
    () =>
      cpuNanoseconds(pid) / 1e9;
  const spans = await idleCpu([meterOf(few), meterOf(many)], seconds);
  const [ofFew, ofMany] = [0, 1].map((of) => median(spans.map((span) => span[of])));
  return {
    name: 'reminders-idle-cpu',
    what: '1,000 reminders that wait: CPU, of one core',
    value: Math.max(0, ofMany - ofFew),
    unit: '%',
    goal: { atMost: 0.1 },
    detail: `more than one that waits; ${round(ofMany)} against ${round(ofFew)} % of the daemons, p50 of ${spans.length} × ${seconds} s`,
  };
}

/** Asks for a reminder, reports a status, ends it: each on both daemons, in turns. */
async function changes(few, many) {
  const timed = async (call) => {
    const began = performance.now();
    await call();
    return performance.now() - began;
  };
  const once =
    ([daemon, { id }]) =>
    async () => {
      const register = await timed(() =>
        daemon.call('POST', `/sessions/${id}/remind`, { soft_threshold: hour, hard_threshold: 2 * hour }),
      );
      const reset = await timed(() => daemon.call('POST', `/sessions/${id}/agent-status`, { text: 'at it' }));
      await daemon.call('DELETE', `/sessions/${id}/remind`);
      return { register, reset };
    };
  const samples = await interleave(pairs, { one: once(few), thousand: once(many) });
  return ['register', 'reset'].map((name) => {
    const [one, thousand] = ['one', 'thousand'].map((of) => median(samples[of].map((each) => each[name])));
    return {
      name: `reminders-${name}`,
      what: `to ${name} a reminder beside 1,000, against one`,
      value: thousand / one,
      unit: 'x',
      goal: { atMost: 1.2 },
      detail: `${round(thousand)} ms against ${round(one)} ms, p50 of ${pairs}`,
    };
  });
}

/** From the moment at which it is due until it is stored as a message that waits for its session. */
async function punctuality(daemon) {
  await daemon.call('POST', '/sessions', { provider: 'scripted', working_dir: daemon.work, name: 'fires' });
  const sessions = await untilIdle(daemon, holders + 2);
  const { id } = sessions.find(({ display_name }) => display_name === 'fires');
  const late = [];
  for (let i = 0; i < firings; i += 1) {
    const before = await newestEvent(daemon, id);
    await remind(daemon, id, 1);
    const set = await untilEvent(daemon, id, is('one-shot set'), before);
    const sent = await untilEvent(daemon, id, is('one-shot sent'), before);
    late.push(timeOf(sent) - timeOf(set) - 1_000);
    await untilEvent(daemon, id, is('turn ended'), before);
  }
  return {
    name: 'reminders-late',
    what: 'a reminder after its due time, beside 1,000: p95',
    value: percentile(late, 95),
    unit: 'ms',
    goal: { atMost: 50 },
    detail: `p50 ${round(median(late))}, latest ${round(Math.max(...late))} ms of ${firings}`,
  };
}

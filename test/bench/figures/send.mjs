// From the request to send a message until its answer, which says that the agent has it: the daemon's look, its keys,
// the scripted agent's own hook program, and the commits between them.
import { startDaemon, startSessions } from '../daemon.mjs';
import { interrupting, timeToAccepted, timeToTyped, withItsTurn } from '../messages.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 60;
const urgent = { delivery_mode: 'urgent' };

export async function measure() {
  const daemon = await startDaemon();
  const [idle, calm, busy, bare] = await startSessions(daemon, 4, { provider: 'scripted' });
  const samples = await interleave(rounds, {
    idle: () => withItsTurn(daemon, idle.id, () => timeToAccepted(daemon, idle.id, 'hello')),
    bare: () => withItsTurn(daemon, bare.id, () => timeToTyped(daemon, bare, 'hello')),
    urgentIdle: () => withItsTurn(daemon, calm.id, () => timeToAccepted(daemon, calm.id, 'hello', urgent)),
    urgentWorking: () => interrupting(daemon, busy, () => timeToAccepted(daemon, busy.id, 'hello', urgent)),
  });
  const yardstick = `bare tmux commands: ${round(median(samples.bare))}, p95 ${round(percentile(samples.bare, 95))} ms`;
  return [
    figure('send-idle', 'send until accepted, idle agent', samples.idle, 40),
    {
      name: 'send-idle-p95',
      what: 'send until accepted, idle agent: p95',
      value: percentile(samples.idle, 95),
      unit: 'ms',
      goal: { atMost: 80 },
      detail: yardstick,
    },
    figure('urgent-idle', 'urgent until accepted, idle agent', samples.urgentIdle, 80),
    figure('urgent-working', 'urgent until accepted, working agent', samples.urgentWorking, 250),
  ];
}

function figure(name, what, samples, atMost) {
  const detail = `p50 of ${samples.length}; p95 ${round(percentile(samples, 95))}, fastest ${round(Math.min(...samples))} ms`;
  return { name, what, value: median(samples), unit: 'ms', goal: { atMost }, detail };
}

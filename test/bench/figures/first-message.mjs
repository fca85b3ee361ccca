// From the request to spawn a session until its agent provably has the first prompt. Most of it is the agent's own
// start, so there is no goal.
import { startDaemon } from '../daemon.mjs';
import { is, untilEvent } from '../messages.mjs';
import { round } from '../report.mjs';
import { median, percentile } from '../statistics.mjs';

const times = 8;

export async function measure() {
  const daemon = await startDaemon();
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    const began = performance.now();
    const spawned = await daemon.call('POST', '/sessions/spawn', {
      provider: 'scripted',
      working_dir: daemon.work,
      prompt: 'hello',
    });
    await untilEvent(daemon, spawned.session_id, is('message accepted'));
    taken.push(performance.now() - began);
  }
  return [
    {
      name: 'first-message',
      what: 'spawn until the first message is accepted',
      value: median(taken),
      unit: 'ms',
      detail: `p50 of ${times}, scripted agent; ${round(Math.min(...taken))}-${round(percentile(taken, 100))} ms`,
    },
  ];
}

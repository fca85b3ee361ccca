// One text to twenty idle sessions, until the last of them provably has it.
import { startDaemon, startSessions } from '../daemon.mjs';
import { timeToAccepted, withItsTurn } from '../messages.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const sessionCount = 20;
const rounds = 15;

export async function measure() {
  const daemon = await startDaemon();
  const sessions = await startSessions(daemon, sessionCount, { provider: 'scripted' });
  const { all } = await interleave(rounds, {
    async all() {
      const taken = await Promise.all(
        sessions.map(({ id }) => withItsTurn(daemon, id, () => timeToAccepted(daemon, id, 'hello all'))),
      );
      return Math.max(...taken);
    },
  });
  return [
    {
      name: 'fan-out',
      what: 'one text to 20 idle sessions, until all have it',
      value: median(all),
      unit: 'ms',
      goal: { atMost: 350 },
      detail: `p50 of ${rounds}; ${round(Math.min(...all))}-${round(percentile(all, 100))} ms`,
    },
  ];
}

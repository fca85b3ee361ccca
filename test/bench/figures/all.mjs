// `sm all` with a thousand sessions: a whole process each time, its table as wide as a terminal.
import { join } from 'node:path';
import { startDaemon } from '../daemon.mjs';
import { dist } from '../paths.mjs';
import { timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { fillSessions } from '../sessions.mjs';
import { interleave, median, ratioNoise } from '../statistics.mjs';

const rounds = 60;
const sessions = 1_000;

export async function measure() {
  const daemon = await startDaemon({ prepare: (home) => fillSessions(join(home, 'sm.db'), sessions) });
  const known = (await daemon.call('GET', '/sessions')).sessions.length;
  if (known !== sessions) throw new Error(`${known} sessions, not ${sessions}`);
  const program = join(dist, 'sm.cjs');
  const { env } = daemon;
  const run = (...args) => timeProcess(process.execPath, args, { env });
  const samples = await interleave(rounds, {
    all: () => run(program, 'all'),
    filtered: () => run(program, 'all', '--filter', 'tag:night'),
    bare: () => run('-e', '0'),
  });
  const bare = median(samples.bare);
  const figure = (name, what, of) => {
    const [low, high] = ratioNoise(of, samples.bare);
    return {
      name,
      what,
      value: median(of) / bare,
      unit: 'x',
      goal: { atMost: 1.5 },
      detail: `${round(median(of))} ms against ${round(bare)} ms for node -e 0; ${round(low)}-${round(high)} in fifths of the run`,
    };
  };
  return [
    figure('all', `sm all with ${sessions} sessions, against a bare node`, samples.all),
    figure('all-filter', `sm all --filter tag:night, a tenth of ${sessions} sessions`, samples.filtered),
  ];
}

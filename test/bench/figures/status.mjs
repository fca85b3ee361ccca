// `sm status`, as agents run it thousands of times a day: a whole process each time.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon, startSessions } from '../daemon.mjs';
import { dist } from '../paths.mjs';
import { timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, ratioNoise } from '../statistics.mjs';

const rounds = 60;

export async function measure() {
  const program = join(dist, 'sm.cjs');
  if (!existsSync(program)) throw new Error(`${program} is not there: run npm run build`);
  const daemon = await startDaemon();
  const [session] = await startSessions(daemon, 10);
  const env = { ...daemon.env, CLAUDE_SESSION_MANAGER_ID: session.id };
  const samples = await interleave(rounds, {
    status: () => timeProcess(process.execPath, [program, 'status'], { env }),
    bare: () => timeProcess(process.execPath, ['-e', '0'], { env }),
  });
  const [low, high] = ratioNoise(samples.status, samples.bare);
  const against = `${round(median(samples.status))} ms against ${round(median(samples.bare))} ms for node -e 0`;
  return [
    {
      name: 'status',
      what: 'sm status, cold, against a bare node',
      value: median(samples.status) / median(samples.bare),
      unit: 'x',
      goal: { atMost: 1.35 },
      detail: `${against}; ${round(low)}-${round(high)} in fifths of the run`,
    },
  ];
}

// Tab behind `sm send `: how long until the shell has the names of the sessions that run.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon, startSessions } from '../daemon.mjs';
import { dist } from '../paths.mjs';
import { round } from '../report.mjs';
import { median } from '../statistics.mjs';

const rounds = 60;
const sessions = 50;

export async function measure() {
  const daemon = await startDaemon();
  await startSessions(daemon, sessions);
  const script = join(daemon.work, 'sm.bash');
  writeFileSync(script, execFileSync(process.execPath, [join(dist, 'sm.cjs'), 'completion', 'bash']));
  // Timed inside of the shell, which is there already when a person presses Tab.
  const program = `. ${script}
    for ((n = 0; n < ${rounds}; n++)); do
      COMP_LINE='sm send '; COMP_POINT=8
      began=$EPOCHREALTIME; _sm; ended=$EPOCHREALTIME
      echo "$(( (\${ended/[.,]/} - \${began/[.,]/}) )) \${#COMPREPLY[@]}"
    done`;
  const lines = execFileSync('bash', ['-c', program], { env: daemon.env, encoding: 'utf8' })
    .trim()
    .split('\n');
  const samples = lines.map((line) => {
    const [microseconds, found] = line.split(' ').map(Number);
    if (found !== sessions) throw new Error(`${found} names for ${sessions} sessions`);
    return microseconds / 1000;
  });
  const slowest = Math.max(...samples);
  return [
    {
      name: 'completion',
      what: `Tab behind sm send, with ${sessions} sessions`,
      value: median(samples),
      unit: 'ms',
      goal: { atMost: 100 },
      detail: `bash; the slowest of ${rounds} took ${round(slowest)} ms`,
    },
  ];
}

// The hook program from end to end, as an agent runs it after each tool, against the one curl that it cannot do
// without. Both hand the same body to the same daemon.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callerKey, startDaemon, startSessions } from '../daemon.mjs';
import { postToolUse } from '../hook-body.mjs';
import { hooks } from '../paths.mjs';
import { timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, ratioNoise } from '../statistics.mjs';

const rounds = 200;

export async function measure() {
  const daemon = await startDaemon();
  const [session] = await startSessions(daemon, 1);
  const input = join(daemon.work, 'hook.json');
  writeFileSync(input, JSON.stringify(postToolUse(session, daemon.work)));
  const env = {
    PATH: process.env.PATH,
    HOME: daemon.env.HOME,
    SM_HOME: daemon.home,
    CLAUDE_SESSION_MANAGER_ID: session.id,
    SM_CALLER: callerKey(daemon, session.id),
  };
  const curl = [
    ...[
      '-s',
      '--unix-socket',
      daemon.socket,
      '-H',
      'content-type: application/json',
      '-H',
      `x-sm-session: ${session.id}`,
    ],
    ...['--data-binary', '@-', 'http://localhost/hooks/agent'],
  ];
  const samples = await interleave(rounds, {
    hook: () => timeProcess('/bin/sh', [join(hooks, 'hook.sh')], { env, input }),
    bare: () => timeProcess('curl', curl, { env, input }),
  });
  const [low, high] = ratioNoise(samples.hook, samples.bare);
  const against = `${round(median(samples.hook))} ms against ${round(median(samples.bare))} ms for curl`;
  return [
    {
      name: 'hook-program',
      what: 'hook program, end to end, against a bare curl',
      value: median(samples.hook) / median(samples.bare),
      unit: 'x',
      goal: { atMost: 1.6 },
      detail: `${against}; ${round(low)}-${round(high)} in fifths of the run`,
    },
  ];
}

// 200 sessions that do nothing must cost next to nothing: the daemon, its tmux server and its tmux clients together.
// The agents are quiet ones in real panes; what they cost themselves does not count.
import { execFileSync } from 'node:child_process';
import { startDaemon, startSessions } from '../daemon.mjs';
import { childrenOf, cpuSeconds, idleCpu, residentMiB } from '../processes.mjs';
import { round } from '../report.mjs';
import { median } from '../statistics.mjs';

const sessionCount = 200;
const seconds = 30;

export async function measure() {
  const daemon = await startDaemon();
  await startSessions(daemon, sessionCount);
  const tmuxServer = Number(
    execFileSync('tmux', ['-S', daemon.tmuxSocket, 'display-message', '-p', '#{pid}']),
  );
  // Clients that come and go count with the daemon, whose children they are.
  const pids = [daemon.pid, tmuxServer, ...childrenOf(daemon.pid)];
  const spans = await idleCpu(
    pids.map((pid) => () => cpuSeconds([pid])),
    seconds,
  );
  const sum = (each) => each.reduce((total, one) => total + one, 0);
  const all = spans.map(sum);
  const part = (from, to) => round(median(spans.map((each) => sum(each.slice(from, to)))));
  return [
    {
      name: 'idle-cpu',
      what: '200 idle sessions: CPU, of one core',
      value: median(all),
      unit: '%',
      goal: { atMost: 0.3 },
      detail: `daemon ${part(0, 1)}, tmux server ${part(1, 2)}, tmux clients ${part(2)} %; p50 of ${spans.length} × ${seconds} s: ${all.map(round).join(', ')} %`,
    },
    {
      name: 'idle-memory',
      what: '200 idle sessions: resident memory of the daemon',
      value: residentMiB(daemon.pid),
      unit: 'MiB',
      goal: { atMost: 110 },
    },
  ];
}

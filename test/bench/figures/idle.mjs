// 200 sessions that do nothing must cost next to nothing: the daemon, its tmux server and its tmux clients together.
// The agents are quiet ones in real panes; what they cost themselves does not count.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { startDaemon, startSessions } from '../daemon.mjs';
import { childrenOf, cpuSeconds, residentMiB } from '../processes.mjs';
import { round } from '../report.mjs';

const sessionCount = 200;
const settleSeconds = 5;
const seconds = 30;

export async function measure() {
  const daemon = await startDaemon();
  await startSessions(daemon, sessionCount);
  await delay(settleSeconds * 1_000);
  const tmuxServer = Number(
    execFileSync('tmux', ['-S', daemon.tmuxSocket, 'display-message', '-p', '#{pid}']),
  );
  // Clients that come and go count with the daemon, whose children they are.
  const pids = [daemon.pid, tmuxServer, ...childrenOf(daemon.pid)];
  const before = pids.map((pid) => cpuSeconds([pid]));
  await delay(seconds * 1_000);
  const [ofDaemon, ofTmux, ...ofClients] = pids.map(
    (pid, i) => ((cpuSeconds([pid]) - before[i]) * 100) / seconds,
  );
  const clients = ofClients.reduce((sum, each) => sum + each, 0);
  return [
    {
      name: 'idle-cpu',
      what: '200 idle sessions: CPU, of one core',
      value: ofDaemon + ofTmux + clients,
      unit: '%',
      goal: { atMost: 0.3 },
      detail: `daemon ${round(ofDaemon)}, tmux server ${round(ofTmux)}, tmux clients ${round(clients)} % over ${seconds} s`,
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

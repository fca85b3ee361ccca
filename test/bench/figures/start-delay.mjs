// While sessions start one after another, everybody else is served: the daemon is asked every few milliseconds, and
// so is a bare server beside it, which shows what the machine itself makes of the same moments.
import { startDaemon, untilIdle } from '../daemon.mjs';
import { startEchoServer, startLoadClient } from '../load.mjs';
import { round } from '../report.mjs';
import { median, percentile } from '../statistics.mjs';

const sessionCount = 10;
const pauseMs = 2;
const request = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n';

export async function measure() {
  const daemon = await startDaemon();
  const echo = await startEchoServer();
  const client = startLoadClient();
  const connections = [daemon.socket, echo.socket].map((path) => ({ at: { path }, request }));
  const before = await client.run({ connections, seconds: 1, pauseMs });

  const asked = client.run({ connections, pauseMs });
  for (let started = 1; started <= sessionCount; started += 1) {
    await daemon.call('POST', '/sessions', { provider: 'scripted', working_dir: daemon.work });
    await untilIdle(daemon, started);
  }
  client.stop();
  const [ours, bare] = (await asked).latencies;
  const longest = Math.max(...ours);
  const theirs = `a bare server beside it: max ${round(Math.max(...bare))}, p99 ${round(percentile(bare, 99))} ms`;
  return [
    {
      name: 'start-delay',
      what: 'longest request while 10 sessions start',
      value: longest,
      unit: 'ms',
      goal: { atMost: 20 },
      detail: `p99 ${round(percentile(ours, 99))}, p50 ${round(median(ours))} ms of ${ours.length}; ${theirs}; before: max ${round(Math.max(...before.latencies[0]))} ms`,
    },
  ];
}

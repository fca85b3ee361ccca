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

  const starts = [];
  for (let count = 1; count <= sessionCount; count += 1) {
    const asked = client.run({ connections, pauseMs });
    await daemon.call('POST', '/sessions', { provider: 'scripted', working_dir: daemon.work });
    await untilIdle(daemon, count);
    client.stop();
    starts.push((await asked).latencies);
  }
  const ours = starts.flatMap(([daemons]) => daemons);
  const bare = starts.flatMap(([, echoes]) => echoes);
  // What the daemon itself does shows in every start, what others do on this machine only in some.
  const usual = median(starts.map(([daemons]) => Math.max(...daemons)));
  const detail = [
    `in the median start ${round(usual)} ms; p99 ${round(percentile(ours, 99))}, p50 ${round(median(ours))} ms`,
    `a bare server beside it: max ${round(Math.max(...bare))}, p99 ${round(percentile(bare, 99))} ms`,
    `before: max ${round(Math.max(...before.latencies[0]))} ms`,
  ].join('; ');
  return [
    {
      name: 'start-delay',
      what: 'longest request while 10 sessions start',
      value: Math.max(...ours),
      unit: 'ms',
      goal: { atMost: 20 },
      detail,
    },
  ];
}

// Puts load on a server from a process of its own: one connection each, kept alive, one request at a time per
// connection. It writes and reads bytes itself, because a comfortable client would cost more than the server.
//
// Told by its parent: { connections: [{ at, request }], seconds?, pauseMs? }; `at` is what node:net connects to, and
// every %ID% in a request becomes an id like those that the hook program makes. It ends by itself or when told 'stop', and answers with
// { latencies: [[ms, …] per connection], milliseconds }.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { uptime } from 'node:os';

process.on('message', (message) => {
  if (message === 'stop') stopped = true;
  else void run(message);
});

let stopped = false;

async function run({ connections, seconds = Number.POSITIVE_INFINITY, pauseMs = 0 }) {
  const latencies = connections.map(() => []);
  const sockets = await Promise.all(connections.map(({ at }) => open(at)));
  const began = performance.now();
  const end = began + seconds * 1_000;
  await Promise.all(
    sockets.map(async (socket, i) => {
      while (!stopped && performance.now() < end) {
        const sent = performance.now();
        await ask(socket, connections[i].request.replace('%ID%', factId));
        latencies[i].push(performance.now() - sent);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  const milliseconds = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  process.send({ latencies, milliseconds }, () => process.disconnect());
}

const factId = () => `${uptime().toFixed(2)}-${randomUUID()}`;

function open(at) {
  return new Promise((resolve, reject) => {
    const socket = connect(at, () => resolve(socket));
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.once('error', reject);
  });
}

function ask(socket, request) {
  return new Promise((resolve, reject) => {
    let received = '';
    const onData = (text) => {
      received += text;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < headEnd + 4 + length) return;
      settle();
      if (received.startsWith('HTTP/1.1 2')) resolve();
      else reject(new Error(`an answer was ${received}`));
    };
    const onClose = () => {
      settle();
      reject(new Error('the server closed the connection'));
    };
    const settle = () => {
      socket.off('data', onData);
      socket.off('close', onClose);
    };
    socket.on('data', onData);
    socket.on('close', onClose);
    socket.write(request);
  });
}

// Puts load on servers from a process of its own: one connection each, kept alive, one request at a time per
// connection. It writes and reads bytes itself, because a comfortable client would cost more than the server.
//
// Told by its parent, once or several times: { connections: [{ at, request }], seconds?, requests?, pauseMs? }; `at`
// is what node:net connects to, and %ID% in a request becomes an id like those that the hook program makes. A load ends
// by itself, after so many requests per connection, or when told 'stop', and is answered with
// { latencies: [[ms, …] per connection], milliseconds }.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { uptime } from 'node:os';

let stopped = false;

process.on('message', (message) => {
  stopped = message === 'stop';
  if (!stopped) void run(message).then((result) => process.send(result));
});

async function run({ connections, seconds = 1e9, requests = 1e9, pauseMs = 0 }) {
  const sockets = await Promise.all(connections.map(({ at }) => open(at)));
  const began = performance.now();
  const end = began + seconds * 1_000;
  const latencies = await Promise.all(
    sockets.map(async (socket, i) => {
      const taken = [];
      while (!stopped && performance.now() < end && taken.length < requests) {
        const sent = performance.now();
        await ask(socket, connections[i].request.replace('%ID%', factId));
        taken.push(performance.now() - sent);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      return taken;
    }),
  );
  const milliseconds = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  return { latencies, milliseconds };
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

/** Resolves when the whole answer is there. A server that refuses or leaves ends the program: nothing is measured. */
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

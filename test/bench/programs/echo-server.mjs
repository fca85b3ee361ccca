// The yardstick: the least that a durable endpoint on node:http can do. It appends each body to a file and answers
// once the file is synchronised, all requests of one tick together.
//
//   echo-server.mjs FILE SOCKET    tells its parent { port } when it listens on both
import { fdatasyncSync, openSync, writevSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, socketPath] = process.argv.slice(2);
const fd = openSync(file, 'a');
let waiting = [];

function commit() {
  const batch = waiting;
  waiting = [];
  writevSync(
    fd,
    batch.flatMap(({ chunks }) => chunks),
  );
  fdatasyncSync(fd);
  for (const { res } of batch) res.writeHead(204).end();
}

function serve(req, res) {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    if (chunks.length === 0) return res.writeHead(204).end();
    if (waiting.push({ chunks, res }) === 1) setImmediate(commit);
  });
}

createServer(serve).listen(socketPath);
const tcp = createServer(serve).listen(0, '127.0.0.1', () => process.send({ port: tcp.address().port }));
process.on('disconnect', () => process.exit());

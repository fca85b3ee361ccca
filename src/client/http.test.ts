import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpRequest } from './http.ts';

let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-http-'));
});

afterEach(async () => {
  await new Promise<unknown>((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const get = (timeoutMs = 5000) =>
  httpRequest({ socket: join(folder, 's') }, { method: 'GET', path: '/x', timeoutMs });

/** Answers the one request with these pieces, each in a packet of its own. */
async function answering(pieces: (string | Buffer)[], afterwards: (socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', async () => {
      for (const piece of pieces) {
        await new Promise((resolve) => socket.write(piece, resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
      afterwards(socket);
    });
  });
  await new Promise<void>((resolve) => server?.listen(join(folder, 's'), resolve));
}

test('an answer with a length is whole as soon as it is all there, in whatever pieces', async () => {
  const text = Buffer.from('{"name":"日本"}');
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n`;
  await answering([head.slice(0, 20), head.slice(20), text.subarray(0, 10), text.subarray(10)], () => {});
  expect(await get()).toEqual({ status: 200, body: '{"name":"日本"}' });
});

test('a chunked answer is put together', async () => {
  const text = Buffer.from('é');
  const head = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n';
  await answering(
    [`${head}1\r\n`, text.subarray(0, 1), '\r\n1;x=y\r\n', text.subarray(1), '\r\n0\r\n\r\n'],
    (socket) => socket.end(),
  );
  expect(await get()).toEqual({ status: 404, body: 'é' });
});

test('an answer without a length ends with the connection', async () => {
  await answering(['HTTP/1.1 200 OK\r\n\r\nab', 'c'], (socket) => socket.end());
  expect(await get()).toEqual({ status: 200, body: 'abc' });
});

test.each([
  ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ['with half a head', 'HTTP/1.1 200'],
  ['that is not HTTP', 'hello\r\n\r\n'],
])('an answer %s that breaks off is no answer', async (_, text) => {
  await answering([text], (socket) => socket.end());
  await expect(get()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a server that says nothing is given up', async () => {
  await answering([], () => {});
  await expect(get(20)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('nobody there is told from anything else', async () => {
  await expect(get()).rejects.toMatchObject({ code: 'ENOENT' });
});

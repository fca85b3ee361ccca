// Clients that say too much, or say it too slowly. They take nothing away from the owner.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
let id: string;
const open: Socket[] = [];
beforeAll(async () => {
  daemon = await startTestDaemon({ openFiles: 256 });
  id = await startIdle(daemon, 'worker');
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await daemon?.dispose();
});

/** What it answers before it hangs up. */
function says(text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(daemon.port, '127.0.0.1', () => socket.write(text));
    open.push(socket);
    socket.on('data', (chunk) => (heard += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}
const head = (...lines: string[]) =>
  ['GET /sessions HTTP/1.1', 'host: localhost', ...lines, '', ''].join('\r\n');

it('too many headers, too long ones and a head without an end are refused at once', async () => {
  const many = Array.from({ length: 5_000 }, (_, i) => `x-${i}: y`);
  expect(await says(head(...many))).toMatch(/^HTTP\/1\.1 4(31|00)/);
  expect(await says(head(`x: ${'y'.repeat(200_000)}`))).toMatch(/^HTTP\/1\.1 4(31|00)/);
  expect(await says(`GET /${'a'.repeat(200_000)}`)).toMatch(/^HTTP\/1\.1 4(31|14|00)/);
});

it('a body that is announced too long is refused before it comes, and one without a length as well', async () => {
  const post = (...lines: string[]) =>
    ['POST /sessions/worker/input HTTP/1.1', 'host: localhost', 'connection: close', ...lines, '', ''].join(
      '\r\n',
    );
  expect(await says(post('content-type: application/json', 'content-length: 99999999999'))).toMatch(
    /^HTTP\/1\.1 4/,
  );
  expect(await says(post('content-type: application/json', 'transfer-encoding: chunked'))).toMatch(
    /^HTTP\/1\.1 4/,
  );
});

it('a head that comes byte by byte is cut off, and its sender leaves a place for others', async () => {
  const began = Date.now();
  const slow = connect(daemon.port, '127.0.0.1');
  open.push(slow);
  slow.on('error', () => {});
  slow.write('GET /health HTTP/1.1\r\n');
  const drip = setInterval(() => slow.write('x'), 1_000);
  await new Promise((resolve) => slow.once('close', resolve));
  clearInterval(drip);
  expect(Date.now() - began).toBeLessThan(60_000);
});

it('while hundreds of bodies never come, messages are delivered and lists are told', async () => {
  const token = 'authorization: Bearer x';
  for (let i = 0; i < 300; i += 1) {
    const socket = connect(daemon.port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => {});
    socket.write(
      `POST /sessions/worker/input HTTP/1.1\r\nhost: localhost\r\n${token}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{"text":`,
    );
  }
  const { message_id } = await sendText(daemon, id, 'hello [[say still here]]');
  await daemon.until(id, is('message answered', { message: message_id }));
  expect((await daemon.sm('all')).stdout).toContain('worker');
});

// Whoever is on this machine can open connections. They take nothing away from the owner.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ openFiles: 256 });
});
afterAll(() => daemon?.dispose());

it('a thousand connections that say nothing leave a daemon with 256 descriptors working', async () => {
  const id = await startIdle(daemon, 'worker');
  const flood: Socket[] = [];
  for (let i = 0; i < 1_000; i += 1) {
    const socket = connect(daemon.port, '127.0.0.1');
    socket.on('error', () => {});
    flood.push(socket);
  }
  await Promise.all(
    flood.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
  );
  const { message_id } = await sendText(daemon, id, 'hello [[say still here]]');
  await daemon.until(id, is('message answered', { message: message_id }));
  const other = await startIdle(daemon, 'other');
  expect((await daemon.sm('all')).stdout).toContain('other');
  await daemon.crash();
  for (const socket of flood) socket.destroy();
  await daemon.start();
  expect((await daemon.session(other)).phase).toBe('idle');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testIo } from '../../../test/support/io.ts';
import { standInDaemon } from '../../../test/support/stand-in-daemon.ts';
import { run } from '../run.ts';

test('a daemon that dies over a request: exit code 2, and no claim about what was done', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sm-client-'));
  const server = createServer((socket) => socket.once('data', () => socket.end()));
  await new Promise<void>((resolve) => server.listen(join(home, 'sm.sock'), resolve));
  try {
    const sm = async (...argv: string[]) => {
      const io = testIo({ env: { SM_HOME: home } });
      return [await run(argv, io), io.printed.err];
    };
    expect(await sm('all')).toEqual([2, 'Error: The daemon stopped before it answered. See: sm logs\n']);
    expect(await sm('task', 'x', 'y')).toEqual([
      2,
      'Error: The daemon stopped before it answered; your request may or may not be done. See: sm logs\n',
    ]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(home, { recursive: true });
  }
});

test('a session shows its key with every request; a person has none to show', async () => {
  const daemon = await standInDaemon({ 'GET /rows': { rows: [] } });
  try {
    await daemon.sm(['all'], { env: { SM_CALLER: '66a8c9ee.key' } });
    await daemon.sm(['all'], { env: { SM_CALLER: 'a\r\nx-other: b' } });
    await daemon.sm(['all']);
    expect(daemon.calls.map(({ caller }) => caller)).toEqual(['66a8c9ee.key', 'a??x-other: b', undefined]);
  } finally {
    await daemon.close();
  }
});

// The live stream on a real daemon, through the client that every face uses.
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import type { LiveItem } from '../../src/client/stream.ts';
import { transportTo } from '../../src/client/transport.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
let client: Client;
let worker: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  client = createClient(transportTo({ socket: join(daemon.home, 'sm.sock') }));
  worker = await startIdle(daemon, 'worker');
});
afterAll(() => daemon.dispose());

const setTask = (task: string) => client.ask('PUT /sessions/{ref}/task', { ref: worker, body: { task } });

/** Reads on until an item fits; answers all that came. */
async function until(
  items: AsyncGenerator<LiveItem, void>,
  fits: (item: LiveItem) => boolean,
): Promise<LiveItem[]> {
  const seen: LiveItem[] = [];
  for (;;) {
    const { value, done } = await items.next();
    if (done || !value) throw new Error(`the stream ended after ${JSON.stringify(seen.at(-1))}`);
    seen.push(value);
    if (fits(value)) return seen;
  }
}
const taskIn = (item: LiveItem) =>
  item.is === 'event' && item.event.type === 'task-set' ? item.event.task : undefined;
const isTask = (task: string) => (item: LiveItem) => taskIn(item) === task;
const numbers = (items: LiveItem[]) =>
  items.flatMap((item) => (item.is === 'event' ? [item.event.number] : []));
const kinds = (items: LiveItem[]) =>
  items.map(({ is }) => is).filter((is) => is !== 'event' && is !== 'session');

it('goes on over a restart and over kill -9 without a gap and without an event twice', async () => {
  const items = client.stream({ after: 0 });
  const seen = await until(items, (item) => item.is === 'connected');
  await setTask('before');
  seen.push(...(await until(items, isTask('before'))));

  expect((await daemon.sm('down')).code).toBe(0);
  await daemon.start();
  await setTask('after a restart');
  seen.push(...(await until(items, isTask('after a restart'))));

  await daemon.crash();
  seen.push(...(await until(items, (item) => item.is === 'away')));
  await daemon.start();
  await setTask('after a crash');
  seen.push(...(await until(items, isTask('after a crash'))));
  await items.return();

  const { events } = await client.ask('GET /events', { query: { limit: 1_000 } });
  expect(numbers(seen)).toEqual(
    events.map(({ number }) => number).filter((n) => n <= (numbers(seen).at(-1) ?? 0)),
  );
  expect(kinds(seen)).toEqual(['connected', 'away', 'connected', 'away', 'connected']);
});

it('shows all sessions at first, and each one as it changes', async () => {
  const items = client.stream({ views: true });
  const [first] = await until(items, (item) => item.is === 'connected');
  expect(first).toMatchObject({ sessions: [{ id: worker, display_name: 'worker' }] });
  await setTask('seen');
  const seen = await until(items, (item) => item.is === 'session' && item.session.current_task === 'seen');
  expect(numbers(seen)).toHaveLength(1);
  const other = await startIdle(daemon, 'other');
  await until(
    items,
    (item) => item.is === 'session' && item.session.id === other && item.session.phase === 'idle',
  );
  await client.ask('POST /sessions/{ref}/kill', { ref: other });
  await until(
    items,
    (item) => item.is === 'session' && item.session.id === other && item.session.ended?.killed === true,
  );
  await items.return();
});

it('comes over TCP too, with the token only', async () => {
  const token = readFileSync(join(daemon.home, 'token'), 'utf8').trim();
  const at = (given: string) =>
    createClient(transportTo({ host: '127.0.0.1', port: daemon.port, token: given })).stream({ views: true });
  await expect(at('another').next()).rejects.toMatchObject({
    name: 'Refused',
    status: 401,
    code: 'no_token',
  });
  const items = at(token);
  await until(items, (item) => item.is === 'connected');
  await setTask('over tcp');
  await until(items, isTask('over tcp'));
  await items.return();
});

it('is refused for a session that does not exist', async () => {
  await expect(client.stream({ session: 'nobody' }).next()).rejects.toMatchObject({ status: 404 });
});

it('ends when its reader says so', async () => {
  const stop = new AbortController();
  const items = client.stream({ signal: stop.signal });
  await until(items, (item) => item.is === 'connected');
  const next = items.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

it('serves two hundred readers alike, and the daemon still stops at once', async () => {
  const readers = Array.from({ length: 200 }, () => client.stream({ views: true }));
  await Promise.all(readers.map((items) => until(items, (item) => item.is === 'connected')));
  const tasks = Array.from({ length: 50 }, (_, i) => `for all ${i}`);
  const all = readers.map((items) => until(items, isTask('for all 49')));
  for (const task of tasks) await setTask(task);
  const heard = await Promise.all(all);
  const texts = (items: LiveItem[]) => items.flatMap((item) => taskIn(item) ?? []);
  for (const items of heard) expect(texts(items)).toEqual(tasks);
  const began = performance.now();
  expect((await daemon.sm('down')).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(1_400);
  await Promise.all(readers.map((items) => items.return()));
  await daemon.start();
});

it('gives a slow reader what it missed when it reads again, in bounded memory', async () => {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = (await client.ask('GET /events', { query: { last: true, limit: 1 } })).events.at(-1)?.number;
  // Not read at all: what the sockets between us hold is soon full.
  const slow = await Promise.all(
    Array.from({ length: 20 }, () => openRaw(`/events?after=${before}&session=${worker}`)),
  );
  const text = 'x'.repeat(90_000);
  const report = (i: number) =>
    client.ask('POST /sessions/{ref}/agent-status', { ref: worker, body: { text: `${i} ${text}` } });
  const start = rss();
  for (let i = 0; i < 100; i += 1) await report(i);
  // Held back for all of them, it would be 180 MB.
  expect(rss() - start).toBeLessThan(90);
  for (const answer of slow) {
    const seen: number[] = [];
    let rest = '';
    for await (const piece of answer) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const reported = /"text":"(\d+) x/.exec(line.slice(0, 400))?.[1];
        if (reported !== undefined) seen.push(Number(reported));
      }
      if (seen.at(-1) === 99) break;
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i));
  }
});

function openRaw(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream' };
    const request = get(
      { socketPath: join(daemon.home, 'sm.sock'), path, headers, agent: false },
      (answer) => {
        answer.setEncoding('utf8');
        resolve(answer);
      },
    );
    request.on('error', reject);
  });
}

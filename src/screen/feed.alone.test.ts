// What the screen asks of the daemon, and when.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../client/client.ts';
import type { LiveItem } from '../client/stream.ts';
import { openFeed } from './feed.ts';
import type { Happening } from './state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A daemon that says these things, and then nothing more. */
function quietDaemon(items: readonly LiveItem[]) {
  const asked: string[] = [];
  const silence = new Promise<never>(() => {});
  const client = {
    async ask(route: string) {
      asked.push(route);
      return { messages: [], events: [] };
    },
    async *stream() {
      yield* items;
      await silence;
    },
    async *screen() {
      asked.push('screen');
      yield await silence;
    },
  };
  return { asked, client: client as unknown as Client };
}

const connected: LiveItem = { is: 'connected', after: 7, sessions: [], broken_channels: ['phone'] };

async function open(items: readonly LiveItem[]) {
  const { asked, client } = quietDaemon(items);
  const told: Happening[] = [];
  const feed = openFeed(
    client,
    (each) => told.push(each),
    (error) => expect.unreachable(String(error)),
  );
  feed.follow('aaaa0001');
  await vi.advanceTimersByTimeAsync(1);
  return { asked, told, feed };
}

it('asks nothing and waits for no time while nothing happens', async () => {
  const { asked, feed } = await open([connected]);
  expect(asked).not.toEqual([]);
  const before = [...asked];
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(asked).toEqual(before);
  feed.stop();
});

it('hears from the stream which channels do not work', async () => {
  const { asked, told, feed } = await open([connected, { is: 'channels', broken: [] }]);
  expect(told.filter(({ kind }) => kind === 'channels')).toEqual([
    { kind: 'channels', text: 'phone cannot tell you anything' },
    { kind: 'channels', text: null },
  ]);
  expect(asked).not.toContain('GET /notifications/channels');
  feed.stop();
});

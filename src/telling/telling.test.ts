import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled, type TestEngine, testEngine } from '../../test/support/engine.ts';
import { conversation, factOf } from '../../test/support/session.ts';
import type { Channel } from '../ports/channel.ts';
import { silentLog } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Telling } from '../ports/telling.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { createTelling, type TellingService } from './telling.ts';

let store: Store;
let engine: TestEngine;
let telling: TellingService;

/** A channel whose tellings the test ends by hand. */
function testChannel(name = 'test', recipients: readonly string[] = ['me']) {
  const begun: { readonly telling: Telling; end(why: string | null): Promise<void> }[] = [];
  const ended: number[] = [];
  const channel: Channel = {
    name,
    atOnce: 4,
    again: false,
    recipients: async () => recipients.map((to) => ({ to })),
    tell: (each, _, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ is: 'failed', why: 'stopped' }));
        const end = (why: string | null) => {
          resolve(why === null ? { is: 'done' } : { is: 'failed', why });
          return settled();
        };
        begun.push({ telling: each, end });
      }),
    endOrphan: async ({ pid }) => void ended.push(pid),
  };
  return { channel, begun, ended };
}

async function start(...channels: Channel[]): Promise<void> {
  telling = createTelling({ store, engine, clock: engine.clock, log: silentLog, channels });
  await telling.start();
  await settled();
}

/** As after a daemon that was killed: nothing is left of it but the store. */
const again = (...channels: Channel[]) => start(...channels);

const finish = async (id: string, turnId: string) => {
  const providerId = `${conversation}-${id}`;
  await engine.hear(id, factOf({ is: 'prompt-submitted', turnId, providerId, text: 'do it' }));
  await engine.hear(id, factOf({ is: 'turn-ended', turnId, providerId, lastWords: 'done' }));
  await settled();
};

beforeEach(async () => {
  store = openSqliteStore(':memory:');
  engine = testEngine(store);
  engine.resume();
  await engine.createIdle('aaaa0001');
});
afterEach(async () => {
  await telling.stop();
  await store.close();
});

const states = async () => (await store.tellings.open()).map(({ state }) => state.is);

it('tells each occasion once, and knows how it ended', async () => {
  const { channel, begun } = testChannel('test', ['me', 'you']);
  await start(channel);
  await finish('aaaa0001', 'p1');
  expect(begun.map(({ telling: { occasion, to } }) => [occasion, to])).toEqual([
    ['finished', 'me'],
    ['finished', 'you'],
  ]);
  expect(await states()).toEqual(['begun', 'begun']);
  await begun[0]?.end(null);
  await begun[1]?.end('exit code 3');
  expect(await states()).toEqual([]);
  expect((await store.tellings.lastTo('test', 'me'))?.state).toMatchObject({ is: 'done' });
  expect((await store.tellings.lastTo('test', 'you'))?.state).toMatchObject({
    is: 'failed',
    why: 'exit code 3',
  });
});

describe('after the daemon was killed', () => {
  it('what had begun is not begun again, and what it had left running is ended', async () => {
    const first = testChannel();
    await start(first.channel);
    await finish('aaaa0001', 'p1');
    const [open] = await store.tellings.open();
    const process = { pid: 77, startedAt: 'then' };
    await store.tellings.put({ ...(open as Telling), state: { is: 'begun', at: 1, process } });
    const second = testChannel();
    await again(second.channel);
    expect(second.begun).toEqual([]);
    expect(second.ended).toEqual([77]);
    expect((await store.tellings.lastTo('test', 'me'))?.state).toMatchObject({ is: 'unknown' });
  });

  it('what was owed is told, and what nobody had looked at yet', async () => {
    const { channel, begun } = testChannel();
    await store.tellings.owe(0, []);
    await finish('aaaa0001', 'p1');
    await start(channel);
    expect(begun).toHaveLength(1);
    await begun[0]?.end(null);
    const owed: Telling = { ...(begun[0]?.telling as Telling), id: 'other' };
    await store.tellings.owe(99, [owed]);
    await again(channel);
    expect(begun.map(({ telling: { id } }) => id)).toContain('other');
  });

  it('a telling of a channel that is gone is dropped', async () => {
    const { channel } = testChannel();
    await start(channel);
    await finish('aaaa0001', 'p1');
    const [open] = await store.tellings.open();
    await store.tellings.put({ ...(open as Telling), state: { is: 'owed' } });
    await again();
    expect((await store.tellings.lastTo('test', 'me'))?.state).toMatchObject({ is: 'dropped' });
  });
});

it('tells nothing of what was before somebody wanted to hear it', async () => {
  await finish('aaaa0001', 'p1');
  const first = testChannel();
  await start(first.channel);
  expect(first.begun).toEqual([]);
  await telling.stop();
  await again();
  await finish('aaaa0001', 'p2');
  const second = testChannel();
  await again(second.channel);
  expect(second.begun).toEqual([]);
  await finish('aaaa0001', 'p3');
  expect(second.begun).toHaveLength(1);
});

it('runs a few at a time, keeps a hundred waiting, and drops the rest', async () => {
  const { channel, begun } = testChannel();
  await start(channel);
  for (let n = 0; n < 110; n += 1) await finish('aaaa0001', `p${n}`);
  expect(begun).toHaveLength(4);
  expect(await states()).toHaveLength(104);
  expect((await store.tellings.lastTo('test', 'me'))?.state).toMatchObject({
    is: 'dropped',
    why: '100 others waited',
  });
  await begun[0]?.end(null);
  expect(begun).toHaveLength(5);
});

it('leaves what waits owed when it stops', async () => {
  const { channel, begun } = testChannel('test', ['a', 'b', 'c', 'd', 'e', 'f']);
  await start(channel);
  await finish('aaaa0001', 'p1');
  expect(begun).toHaveLength(4);
  await telling.stop();
  expect(await states()).toEqual(['owed', 'owed']);
});

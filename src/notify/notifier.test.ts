// The rules of notifications, in virtual time: an engine, a store, and a sender that the test plays.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settled, type TestEngine, testEngine } from '../../test/support/engine.ts';
import { conversation, factOf } from '../../test/support/session.ts';
import { silentLog } from '../ports/log.ts';
import type { Notification, NotifyRule, QuietHours, Sent } from '../ports/notifications.ts';
import type { Store } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { createTelling, type TellingService } from '../telling/telling.ts';
import { createNotifier } from './notifier.ts';
import { standardRules } from './rules.ts';

const id = 'aaaa0001';
let store: Store;
let engine: TestEngine;
let telling: TellingService | undefined;
/** What the senders say, one after the other; then that it is done. */
let answers: Sent[];
/** How often it was heard that something came of one. */
let told = 0;
let sent: { readonly channel: string; readonly at: number; readonly notification: Notification }[];

interface Setting {
  readonly channels?: readonly string[];
  readonly rules?: readonly NotifyRule[];
  readonly quietHours?: QuietHours;
}

async function start({ channels = ['phone'], rules = standardRules(channels), quietHours }: Setting = {}) {
  const notifiers = channels.map((name) =>
    createNotifier({
      name,
      sender: {
        recipients: ['me'],
        async send(_, notification) {
          sent.push({ channel: name, at: engine.clock.now(), notification });
          return answers.shift() ?? { is: 'done' };
        },
      },
      rules,
      quietHours: quietHours ?? null,
      tellings: store.tellings,
      clock: engine.clock,
      session: async (of) => engine.get(of)?.session ?? null,
      selects: (selector, session) => session.id === selector,
      hasParent: () => false,
      ancestry: function* (session) {
        yield session;
        if (session.parentId !== null)
          yield { ...session, id: session.parentId, friendlyName: null, name: 'lead' };
      },
      link: () => null,
      told: () => void (told += 1),
    }),
  );
  telling = createTelling({ store, engine, clock: engine.clock, log: silentLog, channels: notifiers });
  await telling.start();
  await settled();
}

const advance = async (seconds: number) => {
  engine.clock.advance(seconds * 1_000);
  await settled();
};
const providerId = `${conversation}-${id}`;
const begin = (turnId: string) =>
  engine.hear(id, factOf({ is: 'prompt-submitted', turnId, providerId, text: 'do it' }));
async function finish(turnId: string, end: 'ended' | 'failed' = 'ended') {
  await begin(turnId);
  await engine.hear(id, factOf({ is: 'turn-ended', turnId, providerId, lastWords: 'done', end }));
  await settled();
}
async function ask(turnId: string, text = 'Bash: rm -r build') {
  await begin(turnId);
  await engine.hear(id, factOf({ is: 'permission-asked', turnId, providerId, text }));
  await settled();
}
async function goOn(turnId: string) {
  await engine.hear(id, factOf({ is: 'turn-ended', turnId, providerId, end: 'interrupted' }));
  await settled();
}
const log = async () =>
  (await store.tellings.log(['notify.phone', 'notify.desk'], 100)).map(({ channel, state }) => ({
    channel: channel.slice('notify.'.length),
    ...state,
  }));
const outcomes = async () => (await log()).map(({ is }) => is).reverse();

beforeEach(async () => {
  store = openSqliteStore(':memory:');
  engine = testEngine(store);
  engine.resume();
  [answers, sent, told] = [[], [], 0];
  await engine.createIdle(id);
});
afterEach(async () => {
  await telling?.stop();
  await store.close();
});

it('who waits is told of at once, with the question that can be answered', async () => {
  await start();
  await ask('p1');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.notification).toMatchObject({
    occasion: 'waiting',
    title: `scripted-${id} (${id})`,
    text: 'asks: Bash: rm -r build',
    question: engine.get(id)?.session.question?.since.toString(36),
  });
  expect(await outcomes()).toEqual(['done']);
});

describe('what may be over at once is told after 5 s', () => {
  it('if it still holds', async () => {
    await start();
    await finish('p1');
    await advance(4.9);
    expect(sent).toEqual([]);
    await advance(0.1);
    expect(sent.map(({ notification: { text } }) => text)).toEqual(['finished: done']);
  });

  it('and not if it works again', async () => {
    await start();
    await finish('p1', 'failed');
    await advance(3);
    await begin('p2');
    await advance(10);
    expect(sent).toEqual([]);
    expect(await log()).toMatchObject([{ is: 'suppressed', why: 'it works again' }]);
  });
});

it('of one session at most one a minute is sent; what comes sooner is told then, if it still holds', async () => {
  await start();
  const began = engine.clock.now();
  await ask('p1', 'one');
  await goOn('p1');
  await ask('p2', 'two');
  await goOn('p2');
  await advance(30);
  await ask('p3', 'three');
  expect(sent).toHaveLength(1);
  await advance(29);
  expect(sent).toHaveLength(1);
  await advance(1);
  expect(sent.map(({ at, notification: { text } }) => [at - began, text])).toEqual([
    [0, 'asks: one'],
    [60_000, 'asks: three'],
  ]);
  expect(await outcomes()).toEqual(['done', 'suppressed', 'done']);
});

it('another session need not wait for it', async () => {
  await start();
  await ask('p1');
  await engine.createIdle('bbbb0002');
  const other = `${conversation}-bbbb0002`;
  await engine.hear(
    'bbbb0002',
    factOf({ is: 'prompt-submitted', turnId: 'q', providerId: other, text: 'x' }),
  );
  await engine.hear(
    'bbbb0002',
    factOf({ is: 'permission-asked', turnId: 'q', providerId: other, text: 'x' }),
  );
  await settled();
  expect(sent).toHaveLength(2);
});

const rule: NotifyRule = {
  when: ['waiting'],
  sessions: null,
  family: null,
  withoutParent: false,
  tell: ['desk', 'phone'],
  afterSeconds: null,
  nextAfterSeconds: 300,
  throughQuietHours: false,
};

describe('the next channel', () => {
  it('is told when nobody has answered', async () => {
    await start({ channels: ['phone', 'desk'], rules: [rule] });
    await ask('p1');
    expect(sent.map(({ channel }) => channel)).toEqual(['desk']);
    await advance(299);
    expect(sent).toHaveLength(1);
    await advance(1);
    expect(sent.map(({ channel }) => channel)).toEqual(['desk', 'phone']);
  });

  it('is not told of what was answered', async () => {
    await start({ channels: ['phone', 'desk'], rules: [rule] });
    await ask('p1');
    await advance(200);
    await goOn('p1');
    await advance(200);
    expect(sent.map(({ channel }) => channel)).toEqual(['desk']);
    expect(await log()).toContainEqual(
      expect.objectContaining({
        channel: 'phone',
        is: 'suppressed',
        why: 'the question was answered, or went away',
      }),
    );
  });
});

it('the first rule that means a session counts, for its channels alone', async () => {
  const rules = [
    { ...rule, sessions: 'bbbb0002' },
    { ...rule, when: ['finished' as const], tell: ['phone'], afterSeconds: 0 },
  ];
  await start({ channels: ['phone', 'desk'], rules });
  await ask('p1');
  await goOn('p1');
  await finish('p2');
  expect(sent.map(({ channel, notification: { occasion } }) => [channel, occasion])).toEqual([
    ['phone', 'finished'],
  ]);
});

it.each([
  [id, 1],
  ['boss', 1],
  ['lead', 1],
  ['other', 0],
])('of the family of %s, %i is told', async (family, count) => {
  await start({ rules: [{ ...rule, tell: ['phone'], family }] });
  await ask('p1');
  expect(sent).toHaveLength(count);
});

describe('quiet hours', () => {
  /** From now on, for an hour. */
  const fromNow = (): QuietHours => {
    const date = new Date(engine.clock.now());
    const from = date.getHours() * 60 + date.getMinutes();
    return { from, to: (from + 60) % 1_440 };
  };

  it('keep it until they end, and tell only what still holds', async () => {
    await start({ quietHours: fromNow() });
    await ask('p1');
    expect(await log()).toMatchObject([{ is: 'owed', why: 'quiet hours' }]);
    await advance(3_600);
    expect(sent).toHaveLength(1);
  });

  it('are broken by a rule that says so', async () => {
    await start({ rules: [{ ...rule, tell: ['phone'], throughQuietHours: true }], quietHours: fromNow() });
    await ask('p1');
    expect(sent).toHaveLength(1);
  });
});

describe('a notification that fails', () => {
  const down: Sent = { is: 'failed', why: 'cannot reach it', again: true };

  it('is sent again after longer and longer pauses, and then has failed', async () => {
    answers = [down, down, down, down, down, down, down];
    await start();
    await ask('p1');
    const began = sent[0]?.at ?? 0;
    await advance(3_600);
    for (let n = 0; n < 60; n += 1) await advance(60);
    expect(sent.map(({ at }) => at - began)).toHaveLength(6);
    expect(await log()).toMatchObject([{ is: 'failed', why: 'cannot reach it' }]);
    // Once, when it was over, and not at each try.
    expect(told).toBe(1);
  });

  it('waits as long as the other side says', async () => {
    answers = [{ ...down, afterMs: 40_000 }];
    await start();
    await ask('p1');
    await advance(39);
    expect(sent).toHaveLength(1);
    await advance(1);
    expect(await outcomes()).toEqual(['done']);
  });

  it('has failed at once where nothing will change', async () => {
    answers = [{ is: 'failed', why: '404', again: false }];
    await start();
    await ask('p1');
    expect(await outcomes()).toEqual(['failed']);
  });

  it('is over when it has no device', async () => {
    answers = [{ is: 'no-device', why: 'no browser' }];
    await start();
    await ask('p1');
    expect(await log()).toMatchObject([{ is: 'no-device', why: 'no browser' }]);
  });
});

it('what was owed or had begun when the daemon was killed is told by the next one', async () => {
  await start();
  await finish('p1');
  const [owed] = await store.tellings.open();
  await advance(1);
  // Nothing is left of the first daemon but the store.
  await telling?.stop();
  await start();
  await advance(4);
  expect(sent).toHaveLength(1);
  await telling?.stop();
  await store.tellings.put({
    ...(owed as NonNullable<typeof owed>),
    state: { is: 'begun', at: 1, process: null },
  });
  await advance(60);
  await start();
  expect(sent).toHaveLength(2);
});

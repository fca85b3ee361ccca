import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { botToken, standInTelegram, type TelegramStandIn } from '../../../test/support/telegram.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../daemon/clock.ts';
import { virtualClock } from '../../engine/virtual-clock.ts';
import { silentLog } from '../../ports/log.ts';
import type { Acts, Notification, Sender } from '../../ports/notifications.ts';
import type { Store } from '../../ports/store.ts';
import type { Telling } from '../../ports/telling.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { createTelegram, type TelegramDeps } from './telegram.ts';

const [me, team] = [7, -100];
let telegram: TelegramStandIn;
let store: Store;
let senders: Sender[];
let answered: Parameters<Acts['answer']>[0][];
let messages: Parameters<Acts['send']>[0][];

const notification: Notification = {
  occasion: 'waiting',
  session: { id: '35c21191', name: 'login' },
  title: 'login (35c21191)',
  text: 'asks: Bash: rm -r build',
  link: null,
  question: 'k1',
  test: false,
};

const acts: Acts = {
  async answer(answer) {
    answered.push(answer);
    return { ok: true, text: 'login (35c21191): allowed' };
  },
  async send(message) {
    messages.push(message);
    return { ok: true, text: 'login (35c21191): accepted' };
  },
};

function open(more: Partial<TelegramDeps> = {}): Sender {
  const sender = createTelegram({
    channel: 'notify.phone',
    chats: [String(me), String(team)],
    server: telegram.url,
    token: () => botToken,
    acts,
    topics: store.topics,
    tellings: store.tellings,
    clock: systemClock(),
    log: silentLog,
    ...more,
  });
  senders.push(sender);
  return sender;
}
const send = (sender: Sender, to = me, part: Partial<Notification> = {}) =>
  sender.send(String(to), { ...notification, ...part }, new AbortController().signal);

const changed = vi.fn();
beforeEach(async () => {
  telegram = await standInTelegram([{ id: me }, { id: team, forum: true }]);
  store = openSqliteStore(':memory:');
  [senders, answered, messages] = [[], [], []];
  changed.mockClear();
});
afterEach(async () => {
  await Promise.all(senders.map((each) => each.stop?.()));
  await telegram.close();
  await store.close();
});

it('a question has buttons, anything else has none', async () => {
  const sender = open();
  const sent = await send(sender);
  await send(sender, me, { question: null, text: 'finished' });
  expect(telegram.sent).toMatchObject([
    {
      text: 'login (35c21191) asks: Bash: rm -r build',
      topic: null,
      buttons: [{ text: 'Allow' }, { text: 'Deny' }],
    },
    { text: 'login (35c21191) finished', buttons: [] },
  ]);
  expect(sent).toEqual({ is: 'done', receipt: `${me}/${telegram.sent[0]?.message_id}` });
});

it('where a chat has topics, a session has one of its own, which is made again when it was deleted', async () => {
  const sender = open();
  await send(sender, team);
  await send(sender, team);
  await send(sender, team, { session: { id: 'aaaa0002', name: 'docs' }, title: 'docs (aaaa0002)' });
  expect([...telegram.topics.values()].map(({ name }) => name)).toEqual([
    'login (35c21191)',
    'docs (aaaa0002)',
  ]);
  const [first, second, third] = telegram.sent.map(({ topic }) => topic);
  expect([first === second, second === third]).toEqual([true, false]);
  telegram.deleteTopic(first ?? 0);
  expect(await send(sender, team)).toMatchObject({ is: 'done' });
  expect([...telegram.topics.values()].map(({ name }) => name)).toContain('login (35c21191)');
});

it('a tap answers the question that its message was about, and says what came of it', async () => {
  const sender = open();
  await send(sender);
  sender.start?.(changed);
  const [message] = telegram.sent;
  if (!message) throw new Error('nothing was sent');
  const tap = telegram.tap(message, 'Deny', 'Bea');
  await telegram.untilSent(({ replyTo }) => replyTo === message.message_id);
  expect(answered).toEqual([{ session: '35c21191', question: 'k1', decision: 'deny', via: 'Telegram, Bea' }]);
  expect(telegram.alerts.get(tap)).toBe('login (35c21191): allowed');
  expect(message.buttons).toEqual([]);
});

it('a reply to a notification, or words in a topic, are a message; once, also if they come twice', async () => {
  const sender = open();
  const sent = await send(sender);
  const telling = {
    id: '1',
    event: 1,
    sessionId: '35c21191',
    occasion: 'waiting',
    channel: 'notify.phone',
    to: '7',
    at: 1,
  };
  await store.tellings.record({ ...telling, state: { ...sent, at: 2 } } as Telling);
  await send(sender, team, { session: { id: 'aaaa0002', name: 'docs' } });
  sender.start?.(changed);
  telegram.write(me, 'first', { replyTo: telegram.sent[0]?.message_id ?? 0 });
  await telegram.untilSent(({ text }) => text.endsWith('accepted'));
  // As after a reader that died before it had asked for the next one.
  await sender.stop?.();
  telegram.repeat();
  open().start?.(changed);
  await until('it to come again', () => messages.length === 2);
  telegram.write(team, 'second', { topic: telegram.sent[1]?.topic ?? 0 });
  await until('the second', () => messages.some(({ text }) => text === 'second'));
  expect(messages.map(({ session, text }) => [session, text])).toEqual([
    ['35c21191', 'first'],
    ['35c21191', 'first'],
    ['aaaa0002', 'second'],
  ]);
  expect(messages[0]?.id).toBe(messages[1]?.id);
  expect(messages[2]?.id).not.toBe(messages[1]?.id);
});

it('words that are for no session are answered with what to do', async () => {
  open().start?.(changed);
  telegram.write(me, '/start');
  expect((await telegram.untilSent(() => true)).text).toContain('Reply to a notification');
  expect(messages).toEqual([]);
});

it('another chat is neither heard nor answered', async () => {
  const sender = open();
  await send(sender);
  sender.start?.(changed);
  const [message] = telegram.sent;
  if (!message) throw new Error('nothing was sent');
  telegram.write(666, 'hello');
  telegram.tap(message, 'Allow', 'Eve', 666);
  telegram.write(me, 'last');
  await telegram.untilSent(({ text }) => text.startsWith('Reply'));
  expect([answered, messages, telegram.sent.filter(({ chat }) => chat === 666)]).toEqual([[], [], []]);
});

it('without a chat, it says how to find the number of one', async () => {
  const sender = open({ chats: [] });
  sender.start?.(changed);
  expect(sender.problem?.()).toContain('write something to your bot');
  telegram.write(me, 'hello');
  await until('it to be heard', () => sender.problem?.()?.includes('set chats: [7]'));
  expect(await sender.send('nobody', notification, new AbortController().signal)).toMatchObject({
    is: 'no-device',
  });
  expect(telegram.sent).toEqual([]);
});

it('a second reader of the same bot is noticed, and tried again later', async () => {
  const clock = virtualClock();
  const sender = open({ clock });
  sender.start?.(changed);
  await until('it to read', () => telegram.polls === 1);
  const other = open();
  other.start?.(changed);
  await until('the conflict', () => sender.problem?.());
  expect(changed).toHaveBeenCalledTimes(1);
  expect(sender.problem?.()).toMatch(
    /^another program reads this bot, and only one can \(Telegram answered 409: Conflict/,
  );
  await other.stop?.();
  const before = telegram.polls;
  clock.advance(30_000);
  await until('it to read again', () => telegram.polls > before);
  telegram.write(me, 'hello');
  await until('it to be well', () => sender.problem?.() === null);
  expect(changed).toHaveBeenCalledTimes(2);
});

it.each([
  [
    { error_code: 429, description: 'Too Many Requests: retry after 30', parameters: { retry_after: 30 } },
    { again: true, afterMs: 30_000 },
  ],
  [{ error_code: 502, description: 'Bad Gateway' }, { again: true }],
  [{ error_code: 403, description: 'Forbidden: bot was blocked by the user' }, { again: false }],
])('a refusal of Telegram: %o', async (answer, expected) => {
  telegram.fail('sendMessage', answer);
  expect(await send(open())).toMatchObject({
    is: 'failed',
    why: expect.stringContaining(answer.description),
    ...expected,
  });
});

it('without a token, or with a wrong one, it says so; the token is never said', async () => {
  const none = open({
    token: () => {
      throw new Error('/f is not there');
    },
  });
  none.start?.(changed);
  expect(none.problem?.()).toBe('/f is not there');
  expect(await send(none)).toEqual({ is: 'failed', why: '/f is not there', again: false });
  expect(await send(open({ token: () => '1:wrong' }))).toMatchObject({
    why: 'Telegram answered 401: Unauthorized',
    again: false,
  });
  await telegram.close();
  const away = await send(open());
  expect(away).toMatchObject({
    is: 'failed',
    again: true,
    why: expect.stringMatching(/^cannot reach Telegram: ECONN/),
  });
});

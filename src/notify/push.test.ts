import { afterEach, beforeEach, expect, it } from 'vitest';
import { standInPushService } from '../../test/support/push-service.ts';
import { systemClock } from '../daemon/clock.ts';
import type { PushDevices } from '../ports/devices.ts';
import type { Notification } from '../ports/notifications.ts';
import { createPush, makePushKeys } from './push.ts';

const notification: Notification = {
  occasion: 'waiting',
  session: { id: '35c21191', name: 'login' },
  title: 'login (35c21191)',
  text: 'asks: Bash: echo ü',
  link: null,
  question: 'k1',
  test: false,
};

let service: Awaited<ReturnType<typeof standInPushService>>;
let status: number;
let dropped: string[];
beforeEach(async () => {
  status = 201;
  dropped = [];
  service = await standInPushService(() => ({ status, body: 'push subscription /send/s3cret' }));
});
afterEach(() => service.close());

const keys = makePushKeys();
function open(ids: readonly string[] = ['d1'], buttons = true) {
  const times = { signedInAt: 1, seenAt: 1, hash: '' };
  const devices: PushDevices = {
    subscribed: () =>
      ids.map((id) => ({ id, name: 'Firefox on Android', ...times, push: service.subscription })),
    unsubscribe: (id) => void dropped.push(id),
  };
  return createPush({ devices, keys, contact: 'mailto:me@example.com', buttons, clock: systemClock() });
}
const send = (to = 'd1') => open().send(to, notification, new AbortController().signal);

it('only the browser can read it, and the service knows whose it is', async () => {
  expect(await send()).toEqual({ is: 'done' });
  const [pushed] = service.pushed;
  expect(pushed?.payload).toEqual({
    title: 'login (35c21191)',
    body: 'asks: Bash: echo ü',
    tag: '35c21191',
    path: '/#s/35c21191',
    question: 'k1',
  });
  expect(pushed?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    topic: '35c21191',
  });
  expect(pushed?.claims).toMatchObject({ aud: service.origin, sub: 'mailto:me@example.com' });
  expect(pushed?.claims.exp).toBeLessThanOrEqual(Date.now() / 1_000 + 24 * 3_600);
  expect(pushed?.key).toBe(keys.publicKey);
});

it('a question can be told without its answers', async () => {
  await open(['d1'], false).send('d1', notification, new AbortController().signal);
  expect(service.pushed[0]?.payload).toMatchObject({ body: 'asks: Bash: echo ü', question: null });
});

it.each([404, 410])(
  'a browser that has taken its subscription back (%i) is no device any more',
  async (gone) => {
    status = gone;
    expect(await send()).toEqual({
      is: 'no-device',
      why: 'Firefox on Android does not take notifications any more',
    });
    expect(dropped).toEqual(['d1']);
  },
);

it('a service that is busy is tried again, and its address is not said', async () => {
  status = 503;
  expect(await send()).toMatchObject({
    is: 'failed',
    again: true,
    why: expect.not.stringContaining('s3cret'),
  });
  expect(dropped).toEqual([]);
});

it('has no device where nobody has asked, or who asked was signed out', async () => {
  expect(open([]).recipients).toEqual(['nobody']);
  expect(await send('nobody')).toMatchObject({
    is: 'no-device',
    why: expect.stringContaining('Notify this device'),
  });
  expect(await send('d2')).toMatchObject({ is: 'no-device' });
});

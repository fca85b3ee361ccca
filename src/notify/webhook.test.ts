import { afterEach, expect, it } from 'vitest';
import { type Said, type StandInService, standInService } from '../../test/support/stand-in-service.ts';
import { systemClock } from '../daemon/clock.ts';
import { virtualClock } from '../engine/virtual-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Notification } from '../ports/notifications.ts';
import { createWebhook, type Shape } from './webhook.ts';

let service: StandInService | undefined;
afterEach(() => service?.close());

const notification: Notification = {
  occasion: 'waiting',
  session: { id: '35c21191', name: 'login' },
  title: 'login (35c21191)',
  text: 'asks: Bash: echo "<!channel> & @everyone"',
  link: 'https://sm.example.com/#s/35c21191',
  question: 'k1',
  test: false,
};

async function send(
  shape: Shape,
  answer?: () => Said | null,
  { token = null, clock = systemClock() }: { token?: string | null; clock?: Clock } = {},
) {
  service = await standInService(answer);
  const { url } = service;
  const sender = createWebhook({ shape, url: () => `${url}/services/T0/s3cret`, token: () => token, clock });
  return sender.send('url', notification, new AbortController().signal);
}

it('Slack gets text in which nothing calls anybody', async () => {
  expect(await send('slack')).toEqual({ is: 'done' });
  expect(service?.heard[0]?.path).toBe('/services/T0/s3cret');
  expect(service?.json()).toEqual([
    {
      text: 'login (35c21191) asks: Bash: echo "&lt;!channel&gt; &amp; @everyone"\nhttps://sm.example.com/#s/35c21191',
    },
  ]);
});

it('Discord gets content that mentions nobody', async () => {
  await send('discord');
  expect(service?.json()).toMatchObject([{ content: expect.any(String), allowed_mentions: { parse: [] } }]);
});

it('ntfy gets its topic, a title and a link, with the token in the head', async () => {
  await send('ntfy', undefined, { token: 'tk_1' });
  expect(service?.heard[0]).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_1' } });
  expect(service?.json()).toEqual([
    {
      topic: 's3cret',
      title: 'login (35c21191)',
      message: notification.text,
      priority: 4,
      click: notification.link,
    },
  ]);
});

it('any other service gets all that is known', async () => {
  await send('webhook');
  expect(service?.json()).toEqual([
    {
      occasion: 'waiting',
      session: { id: '35c21191', name: 'login' },
      title: 'login (35c21191)',
      text: notification.text,
      link: notification.link,
      test: false,
    },
  ]);
});

it.each([
  [500, true],
  [503, true],
  [429, true],
  [404, false],
  [401, false],
  [302, false],
])('an answer of %i may pass: %s', async (status, again) => {
  const headers = { location: 'https://elsewhere.example' };
  expect(await send('slack', () => ({ status, headers, body: 'no' }))).toMatchObject({ is: 'failed', again });
});

it('waits as long as it is told to', async () => {
  const sent = await send('slack', () => ({ status: 429, headers: { 'retry-after': '40' } }));
  expect(sent).toMatchObject({ again: true, afterMs: 40_000 });
});

it('never says the secret, whatever the other side answers', async () => {
  const body = `POST /services/T0/s3cret failed for tk_1`;
  const sent = await send('slack', () => ({ status: 400, body }), { token: 'tk_1' });
  expect(sent).toMatchObject({
    is: 'failed',
    why: expect.stringContaining('answered 400: POST … failed for …'),
  });
});

it('does not wait for one that does not answer', async () => {
  const clock = virtualClock();
  const sending = send(
    'slack',
    () => {
      clock.advance(10_000);
      return null;
    },
    { clock },
  );
  expect(await sending).toMatchObject({
    why: expect.stringContaining('did not answer within 10 s'),
    again: true,
  });
});

it('says why it cannot be reached, or has no URL', async () => {
  const closed = await standInService();
  await closed.close();
  const clock = systemClock();
  const { signal } = new AbortController();
  const away = createWebhook({ shape: 'slack', url: () => `${closed.url}/x`, token: () => null, clock });
  expect(await away.send('url', notification, signal)).toMatchObject({
    why: `cannot reach ${new URL(closed.url).host}: ECONNREFUSED`,
    again: true,
  });
  const none = createWebhook({
    shape: 'slack',
    url: () => {
      throw new Error('/f is not there');
    },
    token: () => null,
    clock,
  });
  expect(await none.send('url', notification, signal)).toEqual({
    is: 'failed',
    why: '/f is not there',
    again: false,
  });
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { standInService } from '../support/stand-in-service.ts';
import { sendText, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
beforeAll(async () => {
  const channels = {
    browser: { kind: 'push' },
    team: { kind: 'slack', url_file: '/no/such/file' },
  };
  daemon = await startTestDaemon({ config: { notify: { channels } } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});
afterEach(() => visitor?.close());

it('says in its first line that a channel has stopped working', async () => {
  await daemon.sm('notify', 'test', 'team');
  visitor = await visit(browser, daemon);
  await visitor.page.getByText('team cannot tell you anything').waitFor();
});

it('says it at once while it is open, and takes it back', async () => {
  let isDown = true;
  const service = await standInService(() => ({ status: isDown ? 500 : 200 }));
  const other = await startTestDaemon({
    config: { notify: { channels: { hook: { kind: 'webhook', url: service.url } } } },
  });
  try {
    visitor = await visit(browser, other);
    const said = visitor.page.getByText('hook cannot tell you anything');
    await other.sm('notify', 'test', 'hook');
    await said.waitFor();
    isDown = false;
    await other.sm('notify', 'test', 'hook');
    await said.waitFor({ state: 'detached' });
  } finally {
    await visitor.close();
    await other.dispose();
    await service.close();
  }
});

/** Asks for notifications on the page. What a push service would bring is delivered by `push`. */
async function subscribe({ page }: Visit) {
  await page.context().grantPermissions(['notifications'], { origin: origin(daemon) });
  // A browser of a test has no push service.
  await page.evaluate(`
    const keys = { p256dh: 'BKey', auth: 'secret' };
    const made = { toJSON: () => ({ endpoint: 'https://push.example.com/x', keys }) };
    PushManager.prototype.subscribe = () => Promise.resolve(made);
  `);
  await page.getByRole('button', { name: 'Notify this device' }).click();
  await page.getByText('This device is notified, also while the page is closed.').waitFor();
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
    new Promise((resolve) => active.addEventListener('statechange', resolve)))`);
  return {
    push: (payload: object) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: origin(daemon),
        registrationId,
        data: JSON.stringify(payload),
      }),
    /** As somebody who taps on the notification that is shown. */
    async tap(action: string) {
      const [worker] = page.context().serviceWorkers();
      if (!worker) throw new Error('no service worker runs');
      // What is dispatched by a script may not be waited for; all the rest is as with a finger.
      await worker.evaluate(`(async () => {
        const [notification] = await self.registration.getNotifications();
        const event = new NotificationEvent('notificationclick', { notification, action: '${action}' });
        let work;
        event.waitUntil = (promise) => { work = promise; };
        self.dispatchEvent(event);
        await work;
      })()`);
    },
  };
}

interface Notified {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

const shownOn = (page: Page) =>
  page.evaluate<Notified[]>(`
    navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, tag, actions }) =>
        ({ title, body, tag, actions: actions.map(({ title }) => title) })))
  `);

/** The one notification that is shown, as soon as it says this. */
const notified = (page: Page, text: string): Promise<Notified> =>
  until(
    `a notification that says ${text}`,
    async () => {
      const [first, ...others] = await shownOn(page);
      return others.length === 0 && first?.body.includes(text) && first;
    },
    { timeoutMs: 20_000, instead: async () => JSON.stringify(await shownOn(page)) },
  );

it('lets a device be notified, and shows what is pushed', async () => {
  const id = await startIdle(daemon, 'worker');
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  const { push } = await subscribe(visitor);
  const title = `worker (${id})`;
  await push({ title, body: 'finished', tag: id, path: `/#s/${id}`, question: null });
  expect(await notified(page, 'finished')).toEqual({ title, body: 'finished', tag: id, actions: [] });

  await page.reload();
  await page.getByRole('button', { name: 'Do not notify this device' }).click();
  await page.getByText('This device is not notified any more.').waitFor();
  expect(visitor.faults).toEqual([]);
});

it('a question is answered with one tap on its notification, once, by who is signed in', async () => {
  const id = await startIdle(daemon, 'asker');
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  const { push, tap } = await subscribe(visitor);

  async function asked(command: string) {
    await sendText(daemon, id, `[[ask ${command}]]`);
    const question = await until('the question', async () => (await daemon.session(id)).question?.id);
    const pushed = { title: `asker (${id})`, body: `asks: ${command}`, tag: id, path: `/#s/${id}`, question };
    await push(pushed);
    expect(await notified(page, `asks: ${command}`)).toMatchObject({ actions: ['Allow', 'Deny'] });
    return pushed;
  }
  const goesOn = () => until('it to go on', async () => (await daemon.session(id)).phase === 'idle');

  const first = await asked('true');
  await tap('allow');
  expect(await notified(page, 'Allowed: ')).toMatchObject({ actions: [] });
  await goesOn();

  // The same once more: the question is over.
  await push(first);
  await notified(page, first.body);
  await tap('deny');
  expect(await notified(page, `asker (${id})`)).toMatchObject({ actions: [] });

  // Where nothing gets through, the buttons stay.
  await asked('echo two');
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate('self.online = self.fetch; self.fetch = () => Promise.reject(new TypeError())');
  await tap('deny');
  expect(await notified(page, 'The daemon did not answer: try again.')).toMatchObject({
    actions: ['Allow', 'Deny'],
  });
  await worker?.evaluate('self.fetch = self.online');
  await tap('deny');
  await notified(page, 'Denied: ');
  await goesOn();

  // Whoever is signed out answers nothing.
  const { question } = await asked('echo three');
  for (const device of (await daemon.call<{ devices: { id: string }[] }>('GET', '/devices')).body.devices)
    await daemon.sm('devices', 'revoke', device.id);
  await tap('allow');
  expect(await notified(page, 'This browser is not signed in')).toMatchObject({ actions: [] });
  expect((await daemon.session(id)).question?.id).toBe(question);
});

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
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

it('lets a device be notified, and shows what is pushed', async () => {
  const id = await startIdle(daemon, 'worker');
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await page.context().grantPermissions(['notifications'], { origin: origin(daemon) });
  // A browser of a test has no push service; what comes of one is delivered below.
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
  const data = JSON.stringify({ title: `worker (${id})`, body: 'asks: x', tag: id, path: `/#s/${id}` });
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: origin(daemon), registrationId, data });
  const shown = await page.waitForFunction(`
    navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then(([first]) => first && { title: first.title, body: first.body, tag: first.tag })
  `);
  expect(await shown.jsonValue()).toEqual({ title: `worker (${id})`, body: 'asks: x', tag: id });

  await page.reload();
  await page.getByRole('button', { name: 'Do not notify this device' }).click();
  await page.getByText('This device is not notified any more.').waitFor();
  expect(visitor.faults).toEqual([]);
});

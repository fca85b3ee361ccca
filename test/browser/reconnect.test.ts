// A page that was cut off is right again within a second, without a reload and with nothing twice.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { freePort } from '../support/free-port.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
let id: string;
beforeAll(async () => {
  daemon = await startTestDaemon({ config: { server: { port: await freePort() } } });
  browser = await openBrowser();
  id = await startIdle(daemon, 'worker');
  visitor = await visit(browser, daemon);
  await visitor.page.goto(`${origin(daemon)}/#s/${id}/events`);
  await visitor.page.locator('.events li').first().waitFor();
  await visitor.page.evaluate('window.isTheSame = true');
});
afterAll(async () => {
  expect(visitor?.faults).toEqual([]);
  await visitor?.close();
  await browser?.close();
  await daemon?.dispose();
});

/** Every event of the session is there, each once, in order; and the page is the one that was opened. */
async function isRight(page: Page): Promise<void> {
  const told = (await daemon.events(id)).map(({ number }) => `event-${number}`).reverse();
  await page.locator(`#${told[0]}`).waitFor();
  const shown = await page.locator('.events li').evaluateAll((rows) => rows.map((row) => row.id));
  expect(shown).toEqual(told);
  expect(await page.evaluate('window.isTheSame')).toBe(true);
}

const work = async (text: string) => {
  const { message_id: message } = await sendText(daemon, id, `${text} [[say ${text}]]`);
  await daemon.until(id, is('message answered', { message }));
};

it('after restarts of the daemon, by hand and by a crash', async () => {
  const { page } = visitor;
  const times: number[] = [];
  for (const end of [daemon.stop, daemon.crash, daemon.crash]) {
    await end();
    await page.getByText('not connected since').waitFor();
    await daemon.start();
    const up = performance.now();
    await page.getByText('not connected since').waitFor({ state: 'detached' });
    times.push(performance.now() - up);
    await work('more');
    await isRight(page);
  }
  // Of three, because this machine has other work.
  expect(times.sort((one, other) => one - other)[1]).toBeLessThan(1_000);
});

it('after nobody has looked at it for a while', async () => {
  const { page } = visitor;
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await look('hidden');
  await work('unseen');
  const [last] = (await daemon.events(id)).slice(-1);
  expect(await page.locator(`#event-${last?.number}`).count()).toBe(0);
  const back = performance.now();
  await look('visible');
  await page.locator(`#event-${last?.number}`).waitFor();
  expect(performance.now() - back).toBeLessThan(1_000);
  await isRight(page);
});

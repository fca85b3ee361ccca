import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { freePort } from '../support/free-port.ts';
import { startIdle } from '../support/talk.ts';
import { freshLink, openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let worker: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  worker = await startIdle(daemon, 'worker');
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});

let visitor: Visit;
afterEach(() => visitor?.close());

const row = (name: string) => visitor.page.locator('.session', { hasText: name });

it('signs in with the address of sm open, which stays neither in the address line nor valid', async () => {
  const link = await freshLink(daemon);
  visitor = await visit(browser, daemon);
  await row('worker').waitFor();
  expect(visitor.page.url()).toBe(`${origin(daemon)}/`);
  expect((await daemon.sm('devices')).stdout).toMatch(/Chrome on Linux/);

  const [cookie] = await visitor.page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });

  const used = await browser.newContext();
  const first = await used.newPage();
  await first.goto(link);
  await first.locator('.session').first().waitFor();
  const stolen = await browser.newContext();
  const second = await stolen.newPage();
  await second.goto(link);
  await second.getByText('This browser is not signed in').waitFor();
  expect(await second.getByRole('alert').textContent()).toMatch(/This code is wrong, was used/);
  await Promise.all([used.close(), stolen.close()]);
  expect(visitor.faults).toEqual([]);
});

it('lets somebody type the code', async () => {
  const code = (await freshLink(daemon)).split('#code=')[1] ?? '';
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin(daemon));
  await page.getByLabel('type the code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.session', { hasText: 'worker' }).waitFor();
  await context.close();
});

it('shows each change as it happens', async () => {
  visitor = await visit(browser, daemon);
  await row('worker').getByText('idle').waitFor();
  await daemon.call('PUT', `/sessions/${worker}/task`, { task: 'look at the logs' });
  await row('worker').getByText('look at the logs').waitFor();
  await daemon.call('POST', `/sessions/${worker}/input`, { text: '[[ask rm -rf build]]' });
  await row('worker').getByText('waiting', { exact: true }).waitFor();
  await visitor.page.getByRole('heading', { name: 'WAITING FOR YOU' }).waitFor();
  expect(await visitor.page.title()).toBe('(1) sm');
  await daemon.sm('answer', worker, 'deny');
  await row('worker').getByText('idle', { exact: true }).waitFor();
  expect(visitor.faults).toEqual([]);
});

it('is signed out where it stands by sm devices revoke', async () => {
  visitor = await visit(browser, daemon);
  await row('worker').waitFor();
  expect((await daemon.sm('devices', 'revoke', 'all')).stdout).toMatch(/Signed out: Chrome on Linux/);
  await visitor.page.getByText('This browser is not signed in').waitFor();
  await visitor.page.reload();
  await visitor.page.getByText('This browser is not signed in').waitFor();
});

it('stays signed in over a restart and kill -9 of the daemon, and says meanwhile that it hears nothing', async () => {
  const fixed = await startTestDaemon({ config: { server: { port: await freePort() } } });
  try {
    visitor = await visit(browser, fixed);
    await startIdle(fixed, 'first');
    await row('first').waitFor();
    await fixed.crash();
    await visitor.page.getByText('not connected since').waitFor();
    await row('first').waitFor();
    await fixed.start();
    await startIdle(fixed, 'second');
    await row('second').getByText('idle').waitFor();
    await visitor.page.getByText('not connected since').waitFor({ state: 'detached' });
    await visitor.page.reload();
    await row('second').waitFor();
    expect(visitor.faults).toEqual([]);
  } finally {
    await fixed.dispose();
  }
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { openBrowser, origin } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});

it('a guest looks at one session, live, and has nothing to press', async () => {
  const id = await startIdle(daemon, 'shown');
  await startIdle(daemon, 'hidden');
  const { stdout } = await daemon.sm('share', 'shown', '--for', '1h', '--read-only');
  const [link = ''] = /http\S+/.exec(stdout) ?? [];
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: /shown/ }).waitFor();
  await page.getByText('You are a guest').waitFor();
  await daemon.call('PUT', `/sessions/${id}/task`, { task: 'to be seen' });
  await page.getByText('to be seen').first().waitFor();
  await page.goto(`${origin(daemon)}/#s/${id}/terminal`);
  await page.locator('.pane .line').first().waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByText('hidden').count()).toBe(0);
  await page.goto(`${origin(daemon)}/#all`);
  await page.getByRole('heading', { name: /shown/ }).waitFor();
  const [, device = ''] = /sm devices revoke (\w+)/.exec(stdout) ?? [];
  await daemon.sm('devices', 'revoke', device);
  await page.getByText('This browser is not signed in').waitFor();
});

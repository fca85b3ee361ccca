// Pinning, snoozing, folding, only problems; limits and cost: as the screen and the command line have them.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  const lead = await startIdle(daemon, 'lead');
  await startIdle(daemon, 'child', { parent_session_id: lead });
  const asker = await startIdle(daemon, 'asker');
  await sendText(daemon, asker, '[[ask rm -rf build]]');
  await daemon.untilSession(asker, ({ phase }) => phase === 'blocked');
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});
afterEach(async () => {
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

const row = (name: string) => visitor.page.locator(`.row:has(.name:text-is("${name}"))`);
const titles = () => visitor.page.locator('.title h2').allTextContents();
const title = (text: string) => visitor.page.getByRole('heading', { name: text, exact: true });

it('a session is pinned, snoozed and folded by key and by button, for all windows, also after a reload', async () => {
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await row('lead').focus();
  await page.keyboard.press('*');
  await title('PINNED').waitFor();
  expect(await titles()).toEqual(['PINNED', 'WAITING FOR YOU']);
  await page.getByRole('button', { name: 'the family of lead' }).click();
  await row('child').waitFor({ state: 'detached' });
  expect(await page.locator('.row', { hasText: 'lead' }).textContent()).toContain('+1');
  await row('asker').focus();
  await page.keyboard.press('Enter');
  const second = await page.context().newPage();
  await second.goto(origin(daemon));
  await page.getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('button', { name: 'Bring it back' }).waitFor();
  await second.getByRole('heading', { name: 'SNOOZED' }).waitFor();
  await page.goto(origin(daemon));
  await title('SNOOZED').waitFor();
  expect(await titles()).toEqual(['PINNED', 'SNOOZED']);
  // Whatever changes about it brings it back.
  await daemon.sm('answer', 'asker', 'deny');
  await title('IDLE').waitFor();
  await second.close();
});

it('only problems are shown, until Escape', async () => {
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await row('lead').waitFor();
  await page.getByRole('button', { name: 'Only problems' }).click();
  await page.getByText('Nobody waits for you, has failed or is silent.').waitFor();
  await page.keyboard.press('Escape');
  await row('lead').waitFor();
});

it('limits and cost are told in the top line, on their own page, and with a session', async () => {
  const id = await startIdle(daemon, 'spender');
  await sendText(daemon, id, 'work [[limit 62 3600]] [[usage 1000]] [[cost 0.25]] [[say done]]');
  await daemon.until(id, is('limit told'));
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await page.getByRole('link', { name: /^limits 62 % · resets \S/ }).click();
  await page.getByRole('cell', { name: '62%', exact: true }).waitFor();
  await page.getByRole('row', { name: /spender .* \$0\.25/ }).waitFor();
  await page.getByLabel('By').selectOption('day');
  await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d .*\$0\.25/ }).waitFor();
  await page.goto(`${origin(daemon)}/#s/${id}/context`);
  await page.getByRole('heading', { name: 'Limits of its account' }).waitFor();
  await page.getByRole('row', { name: /5h 62% \S/ }).waitFor();
  await page.getByRole('row', { name: /spender .*\$0\.25/ }).waitFor();
});

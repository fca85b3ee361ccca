// Every control has a name for whoever listens instead of looking, on every part of the page.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
let id: string;
let message: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  const repo = makeRepository(`${daemon.work}/repo`);
  id = await startIdle(daemon, 'lead', { working_dir: repo.root });
  const child = await startIdle(daemon, 'child', { parent_session_id: id });
  repo.write('README.md', 'hello\nworld\n');
  ({ message_id: message } = await sendText(daemon, id, 'work [[usage 1000]] [[say done]]'));
  await daemon.until(id, is('message answered'));
  await sendText(daemon, child, '[[ask touch ok]]');
  await daemon.untilSession(child, ({ phase }) => phase === 'blocked');
  visitor = await visit(browser, daemon);
});
afterAll(async () => {
  await visitor?.close();
  await browser?.close();
  await daemon?.dispose();
});

const controls = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'slider',
  'DisclosureTriangle',
]);

async function nameless(): Promise<{ count: number; without: string[] }> {
  const session = await visitor.page.context().newCDPSession(visitor.page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const found = nodes.filter(({ role, ignored }) => !ignored && controls.has(String(role?.value)));
  const without = found.filter(({ name }) => String(name?.value ?? '').trim() === '');
  await session.detach();
  return { count: found.length, without: without.map(({ role }) => String(role?.value)) };
}

it.each([
  ['all sessions', () => '#all', '.session'],
  ['a session', () => `#s/${id}`, '.messages li'],
  ['its terminal', () => `#s/${id}/terminal`, '.pane .line'],
  ['its changes', () => `#s/${id}/changes`, '.lines .line'],
  ['its timeline', () => `#s/${id}/events`, '.events li'],
  ['its context', () => `#s/${id}/context`, '.table'],
  ['a message', () => `#m/${message}`, '.life'],
  ['limits and cost', () => '#use', 'select'],
  ['the flow', () => '#flow', '.latest li'],
  ['finding', () => '#find/work', '.find input'],
])('on %s', async (_, hash, there) => {
  await visitor.page.goto(`${origin(daemon)}/${hash()}`);
  await visitor.page.locator(there).first().waitFor();
  const { count, without } = await nameless();
  expect(count).toBeGreaterThan(3);
  expect(without).toEqual([]);
  expect(visitor.faults).toEqual([]);
});

it('in the dialogs, and in an unlocked terminal', async () => {
  const { page } = visitor;
  await page.goto(`${origin(daemon)}/#all`);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('dialog').getByLabel('Agent').waitFor();
  expect((await nameless()).without).toEqual([]);
  await page.keyboard.press('Escape');
  await page.goto(`${origin(daemon)}/#s/${id}/terminal`);
  await page.getByRole('button', { name: 'Type into it' }).click();
  expect((await nameless()).without).toEqual([]);
});

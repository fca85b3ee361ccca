// What a session has changed, on the page, with comments that the daemon keeps.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, promptsOf, startIdle } from '../support/talk.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let id: string;
let tree: string;
let visitor: Visit;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  const repo = makeRepository(join(daemon.work, 'repo'));
  const text = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('');
  repo.commit('more', { 'login.ts': text });
  id = await startIdle(daemon, 'worker', { working_dir: repo.root, worktree: { branch: 'x' } });
  tree = (await daemon.session(id)).working_dir;
  writeFileSync(join(tree, 'login.ts'), text.replace('line 7\n', '').replace('line 20\n', 'line twenty\n'));
  writeFileSync(join(tree, 'new.ts'), '<script>alert(1)</script>\n');
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});
afterEach(async () => {
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

async function open(): Promise<void> {
  visitor = await visit(browser, daemon);
  await visitor.page.goto(`${origin(daemon)}/#s/${id}/changes`);
  await visitor.page.getByText(/2 files changed since main/).waitFor();
}
const onLine = (name: RegExp) => visitor.page.getByRole('button', { name });
async function comment(on: RegExp, text: string): Promise<void> {
  await onLine(on).click();
  await visitor.page.getByRole('textbox', { name: /^Comment on / }).fill(text);
  await visitor.page.getByRole('button', { name: 'Save the comment' }).click();
  await visitor.page.locator('.comment .text', { hasText: text }).waitFor();
}

it('lines are commented on; comments outlive a reload and the line’s move, and are sent once as one message', async () => {
  await open();
  const { page } = visitor;
  await page.locator('.line.added', { hasText: '<script>alert(1)</script>' }).waitFor();
  await comment(/^Comment on line 19: line twenty/, 'Say twenty-one.');
  await comment(/^Comment on removed line 7/, 'Why is it gone?');
  await page.reload();
  await page.locator('.comment', { hasText: 'Say twenty-one.' }).waitFor();
  // The agent goes on: the line is another one now.
  writeFileSync(join(tree, 'login.ts'), 'before\nline twenty\n');
  await page.getByRole('button', { name: 'Look again' }).click();
  await onLine(/^Comment on line 2: line twenty/).waitFor();
  const notes = page.locator('.lines .line:has-text("line twenty") + .comment');
  expect(await notes.textContent()).toContain('Say twenty-one.');
  await page.getByRole('textbox', { name: 'What comes before the comments' }).fill('Two things.');
  await page.getByRole('button', { name: 'Send 2 comments as one message' }).click();
  await daemon.until(id, is('message answered'));
  await page.locator('.comment').first().waitFor({ state: 'detached' });
  const prompts = (await promptsOf(daemon, id)).filter((each) => each.includes('twenty-one'));
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toMatch(
    /Two things\.\n\n2 comments on your changes:\n\nlogin\.ts:7 \(a line that you removed\)\n> line 7\nWhy is it gone\?\n\nlogin\.ts:19\n> line twenty\nSay twenty-one\./,
  );
});

it('another page sees a comment as it is written; keys go from line to line', async () => {
  await open();
  const { page } = visitor;
  const other = await visit(browser, daemon);
  await other.page.goto(`${origin(daemon)}/#s/${id}/changes`);
  await other.page.locator('.lines').first().waitFor();
  await page.locator('.lines .number[tabindex="0"]').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('typed by keys');
  await page.keyboard.press('Control+Enter');
  await other.page.locator('.comment', { hasText: 'typed by keys' }).waitFor();
  await other.page.getByRole('button', { name: /^Delete the comment/ }).click();
  await page.locator('.comment', { hasText: 'typed by keys' }).waitFor({ state: 'detached' });
  expect(other.faults).toEqual([]);
  await other.close();
});

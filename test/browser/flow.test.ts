// The flow of messages as a moving picture.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let lead: string;
let worker: string;
let visitor: Visit;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  lead = await startIdle(daemon, 'lead');
  worker = await startIdle(daemon, 'worker', { parent_session_id: lead });
  const { message_id: message } = await sendText(daemon, worker, 'first [[say one]]');
  await daemon.until(worker, is('message answered', { message }));
});
afterAll(async () => {
  await browser?.close();
  await daemon?.dispose();
});
afterEach(async () => {
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

/** And every frame that is asked for. In the words of a browser, which this side does not know. */
const countWhatMoves = `
  window.seen = { moved: 0, frames: 0 };
  const [animate, ask] = [Element.prototype.animate, window.requestAnimationFrame.bind(window)];
  Element.prototype.animate = function (...given) {
    seen.moved += 1;
    return animate.apply(this, given);
  };
  window.requestAnimationFrame = (then) => {
    seen.frames += 1;
    return ask(then);
  };
`;

async function open(reducedMotion: 'reduce' | 'no-preference' = 'no-preference'): Promise<void> {
  visitor = await visit(browser, daemon, { reducedMotion });
  await visitor.page.evaluate(countWhatMoves);
  await visitor.page.goto(`${origin(daemon)}/#flow`);
  await visitor.page.locator('.latest li').first().waitFor();
}
const seen = () => visitor.page.evaluate<{ moved: number; frames: number }>('({ ...seen })');
const latest = (text: RegExp) => visitor.page.locator('.latest li', { hasText: text });

it('a message moves once from its sender to whom it is for; what was before does not; at rest nothing is drawn', async () => {
  await open();
  const { page } = visitor;
  await latest(/you → worker answered/).waitFor();
  expect((await seen()).moved).toBe(0);
  const text = 'more [[sleep 2]] [[say two]]';
  const { message_id: message } = await sendText(daemon, worker, text, {
    sender_session_id: lead,
    notify_on_stop: true,
  });
  await latest(/lead → worker (queued|typed|accepted)/).waitFor();
  await page.locator('.dot').waitFor();
  expect((await seen()).moved).toBe(1);
  await daemon.until(worker, is('message answered', { message }));
  await latest(/lead → worker answered/).waitFor();
  // What the lead is told of it comes from the worker.
  await latest(/worker → lead answered/).waitFor();
  expect((await seen()).moved).toBe(2);
  expect(await page.locator('.ways path').count()).toBe(3);
  await page.locator('.dot').waitFor({ state: 'detached' });
  await until('it rests', async () => {
    const before = await seen();
    await page.waitForTimeout(1_000);
    return (await seen()).frames === before.frames;
  });
});

it('it can be looked at as it was, and families fold', async () => {
  await open();
  const { page } = visitor;
  await latest(/lead → worker/).waitFor();
  await page.getByRole('slider').fill('1');
  await latest(/lead → worker/).waitFor({ state: 'detached' });
  await latest(/you → worker queued/).waitFor();
  await page.getByRole('button', { name: 'Fold all families' }).click();
  await page.locator('.who li', { hasText: 'worker' }).waitFor({ state: 'detached' });
  expect(await page.locator('.ways path').count()).toBe(1);
  await page.getByRole('button', { name: 'Unfold all families' }).click();
});

it('nothing moves for whoever wants less motion, and what is held says so by shape and word', async () => {
  await open('reduce');
  const { page } = visitor;
  // Into what it does not know, sm types nothing.
  const env = {
    PATH: process.env.PATH,
    HOME: daemon.home,
    SCRIPTED_FAULTS: `new-composer:${daemon.work}/never`,
  };
  const strange = await startIdle(daemon, 'strange', { env });
  await daemon.call('POST', `/sessions/${strange}/input`, { text: '[[say three]]' });
  await latest(/▲.*you → strange held: /).waitFor();
  expect(await page.locator('.dot').textContent()).toBe('▲');
  expect(await page.locator('.ways path.held').count()).toBe(1);
  expect((await seen()).moved).toBe(0);
});

import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

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

let visitor: Visit;
afterEach(async () => {
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

async function open(id: string, tab = ''): Promise<void> {
  visitor = await visit(browser, daemon);
  await visitor.page.goto(`${origin(daemon)}/#s/${id}${tab}`);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
}
const said = (text: string | RegExp) => visitor.page.locator('.notice', { hasText: text }).waitFor();
const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });

it('a message is sent once, with its proof, and its life can be followed', async () => {
  const id = await startIdle(daemon, 'listener');
  await open(id);
  const { page } = visitor;
  await page.getByRole('textbox', { name: /Message to listener/ }).fill('[[say done]] hello');
  await page.keyboard.press('Enter');
  await said(/(Accepted|Answered) by listener .* \(hook/);
  await page.locator('.messages li', { hasText: 'hello' }).getByText('answered').waitFor();
  expect(await page.locator('.messages li').count()).toBe(1);
  await page.locator('.messages a').click();
  await page.locator('.life').getByText('answered').waitFor();
  const states = await page.locator('.life .state').allTextContents();
  expect(states).toEqual(['queued', 'typed', 'accepted', 'answered']);
});

it('what is written while a message is under way stays, and so does one that was refused', async () => {
  const id = await startIdle(daemon, 'busy');
  await open(id);
  const { page } = visitor;
  const field = page.getByRole('textbox', { name: /^Message to/ });
  const refusal = { status: 409, json: { error: 'conflict', detail: 'It takes no messages now.' } };
  let answer: (refuses: boolean) => void = () => {};
  await page.route('**/input', async (route) => {
    const refuses = await new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    await (refuses ? route.fulfill(refusal) : route.continue());
  });
  const send = async (text: string, next: string) => {
    await field.fill(text);
    const asked = page.waitForRequest('**/input');
    await button('Send').click();
    await asked;
    await field.fill(next);
  };
  await send('first', 'second, half wri');
  answer(false);
  await said(/(Accepted|Answered) by busy/);
  expect(await field.inputValue()).toBe('second, half wri');

  await send('refused', 'and more');
  answer(true);
  await said('It takes no messages now.');
  expect(await field.inputValue()).toBe('refused\nand more');
});

describe('a question', () => {
  it('is answered by one tap, in the list', async () => {
    const id = await startIdle(daemon, 'asker');
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[ask touch ok]]' });
    visitor = await visit(browser, daemon);
    const card = visitor.page.getByRole('region', { name: /asker .* asks/ });
    await card.getByText('touch ok').waitFor();
    const allow = card.getByRole('button', { name: 'Allow' });
    expect((await allow.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    await allow.click();
    await said(/^Allowed: asker .* has your answer/);
    await card.waitFor({ state: 'detached' });
    await daemon.until(id, is('question answered', { decision: 'allow' }));
  });

  it('that somebody else has answered is not answered twice', async () => {
    const id = await startIdle(daemon, 'contested');
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[ask touch one]]' });
    await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    await open(id);
    const answers = await Promise.all([
      daemon.sm('answer', id, 'deny'),
      button('Allow')
        .click()
        .then(() => said(/./)),
    ]);
    expect(answers[0].code === 0 || answers[0].code === 1).toBe(true);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    const given = (await daemon.events(id)).filter(is('question answered'));
    expect(given).toHaveLength(1);
  });

  it('can be denied with a reason', async () => {
    const id = await startIdle(daemon, 'denied');
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[ask rm -rf build]]' });
    await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    await open(id);
    await button('Deny, because…').click();
    await visitor.page.getByLabel('Why, for the agent').fill('keep it');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await said('Denied');
    const answered = await daemon.until(id, is('question answered'));
    expect(answered).toMatchObject({ decision: 'deny', text: 'keep it' });
  });
});

it('acts are done by their keys, and what is lost asks first', async () => {
  const id = await startIdle(daemon, 'worker');
  await open(id);
  const { page } = visitor;
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: 'Name' }).fill('renamed');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /renamed/ }).waitFor();
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByText(/last heard of it/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect((await daemon.session(id)).phase).toBe('idle');
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await said(/renamed .* was killed/);
  await page.getByText('There is no session').waitFor();
});

it('a dialog is read from its beginning, with its buttons in sight', async () => {
  visitor = await visit(browser, daemon, { viewport: { width: 800, height: 400 } });
  const { page } = visitor;
  // Until it is signed in, the page may still go to where the address leads.
  await page.locator('.filter').waitFor();
  await page.keyboard.press('?');
  await button('Close').waitFor();
  const [top, height, shown] = await page.evaluate<number[]>(`
    (({ scrollTop, scrollHeight, clientHeight }) => [scrollTop, scrollHeight, clientHeight])(document.querySelector('dialog'))
  `);
  expect(height).toBeGreaterThan(shown ?? 0);
  expect(top).toBe(0);
  const box = await button('Close').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(400);
});

it('a session is started', async () => {
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByLabel('Agent').selectOption('scripted');
  await page.getByLabel('Name').fill('newcomer');
  await page.getByLabel('Directory').fill(daemon.work);
  await page.getByLabel('Prompt').fill('[[say ready]]');
  await page.getByRole('button', { name: 'Start it' }).click();
  await said(/^Started newcomer/);
  await page.locator('.session', { hasText: 'newcomer' }).getByText('idle', { exact: true }).waitFor();
});

it('words are found', async () => {
  const id = await startIdle(daemon, 'searched');
  await daemon.call('POST', `/sessions/${id}/input`, { text: 'the quick marmalade fox' });
  await daemon.until(id, is('message answered'));
  // The index grows beside the history, and is a moment behind it.
  await until('the words in the index', async () =>
    /fox/.test((await daemon.sm('search', 'marmalade')).stdout),
  );
  visitor = await visit(browser, daemon);
  const { page } = visitor;
  await page.locator('.filter').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('searchbox').fill('marmalade');
  await page.keyboard.press('Enter');
  await page.locator('.hits mark', { hasText: 'marmalade' }).first().waitFor();
});

describe('the terminal', () => {
  it('shows what the pane shows, does not resize it, and follows it', async () => {
    const id = await startIdle(daemon, 'shown');
    const size = () => daemon.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_width}x#{pane_height}');
    const before = await size();
    await open(id, '/terminal');
    await visitor.page.locator('.pane .line').first().waitFor();
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'look at this' });
    await visitor.page.locator('.pane').getByText('look at this').first().waitFor();
    await visitor.page.setViewportSize({ width: 400, height: 700 });
    await visitor.page.setViewportSize({ width: 1600, height: 900 });
    expect(await size()).toBe(before);
  });

  it('takes the size only when somebody says so', async () => {
    const id = await startIdle(daemon, 'sized');
    const size = () =>
      daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_width} × #{pane_height}');
    await open(id, '/terminal');
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByText('200 × 50').waitFor();
    await button('Take the size').click();
    await said(/has \d+ × \d+ now, for everybody/);
    const taken = (await size()).trim();
    expect(taken).toMatch(/^4\d × 3\d$/);
    await page.locator('.size', { hasText: taken }).waitFor();
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'still there' });
    await page.locator('.pane').getByText('still there').first().waitFor();
  });

  it('is locked until it is unlocked; then keys go to the pane, in order and once', async () => {
    const id = await startIdle(daemon, 'typed');
    await open(id, '/terminal');
    const { page } = visitor;
    await page.locator('.pane .line').first().waitFor();
    await page.locator('.pane').click();
    await page.keyboard.type('zzz');
    await button('Type into it').click();
    await page.keyboard.type("it's; fine - $HOME #{x}");
    await page.locator('.pane').getByText("it's; fine - $HOME #{x}").waitFor();
    expect(await page.locator('.pane').textContent()).not.toContain('zzz');
    await page.keyboard.press('Enter');
    await daemon.until(id, is('turn ended'));
  });

  it('a phone sends its text in one piece, whatever its keyboard composed', async () => {
    const id = await startIdle(daemon, 'phone');
    await open(id, '/terminal');
    const { page } = visitor;
    await button('Type into it').click();
    await page.getByRole('textbox', { name: /Text for the terminal/ }).focus();
    const keyboard = await page.context().newCDPSession(page);
    // As GBoard does it: each letter replaces what is being composed, a correction replaces the word.
    for (const text of ['h', 'he', 'hel', 'helo'])
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await keyboard.send('Input.insertText', { text: 'hello ' });
    // As iOS does it: letters, and then the word is replaced by another.
    for (const text of ['t', 'e', 'h']) await keyboard.send('Input.insertText', { text });
    for (let letter = 0; letter < 3; letter += 1) await page.keyboard.press('Backspace');
    await keyboard.send('Input.insertText', { text: 'the ' });
    // As an input method does it, with the Enter that takes the word.
    for (const text of ['に', 'にほ', 'にほん'])
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await keyboard.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Process',
      windowsVirtualKeyCode: 229,
    });
    await keyboard.send('Input.insertText', { text: '日本' });
    await button('Send').click();
    const accepted = await daemon.until(id, is('turn ended'));
    expect(accepted).toBeDefined();
    const { body } = await daemon.call<{ output: string }>('GET', `/sessions/${id}/output?lines=200`);
    expect(body.output.match(/hello the 日本/g)?.length).toBeGreaterThan(0);
    expect(body.output).not.toMatch(/hhe|helohello|teh|thethe|にほん|日本日本/);
  });
});

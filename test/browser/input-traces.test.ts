// Text that a phone or an input method has composed arrives once and whole, wherever on the page it is written.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';
import { type Step, traces } from './input-traces.ts';

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
let page: Page;
let id: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  id = await startIdle(daemon, 'phone');
  visitor = await visit(browser, daemon, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  page = visitor.page;
});
afterAll(async () => {
  expect(visitor?.faults).toEqual([]);
  await visitor?.close();
  await browser?.close();
  await daemon?.dispose();
});

/** In the field that has the focus: each event as a browser sends it, with the text as it is then. */
const play = (steps: readonly Step[], on = page): Promise<void> =>
  on.evaluate(`
    const field = document.activeElement;
    let isComposing = false;
    for (const { event, key = '', keyCode = 0, inputType = '', data = null, value } of ${JSON.stringify(steps)}) {
      if (event === 'keydown') {
        const pressed = new KeyboardEvent(event, { key, isComposing, bubbles: true, cancelable: true });
        Object.defineProperty(pressed, 'keyCode', { value: keyCode });
        field.dispatchEvent(pressed);
      } else if (event === 'input') {
        const about = { inputType, data, isComposing, bubbles: true };
        field.dispatchEvent(new InputEvent('beforeinput', { ...about, cancelable: true }));
        // The text is the browser's to change, and not the page's.
        if (value !== undefined) field.value = value;
        field.dispatchEvent(new InputEvent('input', about));
      } else {
        isComposing = event !== 'compositionend';
        field.dispatchEvent(new CompositionEvent(event, { data: data ?? '', bubbles: true }));
      }
    }
  `);

/** The bodies of the requests of this kind that the page sends meanwhile. */
async function sentDuring(path: string, work: () => Promise<void>, on = page): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const heard = (request: { url(): string; postDataJSON(): unknown }) => {
    if (request.url().endsWith(path)) bodies.push(request.postDataJSON());
  };
  on.on('request', heard);
  await work();
  on.off('request', heard);
  return bodies;
}

describe('in the text field of a terminal', () => {
  beforeAll(async () => {
    await page.goto(`${origin(daemon)}/#s/${id}/terminal`);
    await page.getByRole('button', { name: 'Type into it' }).click();
  });

  it.each(traces)('$what', async ({ steps, text }) => {
    const field = page.getByRole('textbox', { name: /Text for the terminal/ });
    const sent = await sentDuring('/typing', async () => {
      await field.focus();
      await play(steps);
      const answered = page.waitForResponse(/\/typing$/);
      await page.getByRole('button', { name: 'Without Enter' }).click();
      await answered;
      // Whatever the keyboard believes that it is still composing, the field is empty, and another tap sends nothing.
      expect(await field.inputValue()).toBe('');
      await page.getByRole('button', { name: 'Without Enter' }).click();
    });
    expect(sent).toEqual([{ typed: [{ paste: text }] }]);
  });
});

describe('in a message', () => {
  beforeAll(async () => {
    // In the terminal of the other one stands what was typed there.
    await page.goto(`${origin(daemon)}/#s/${await startIdle(daemon, 'reader')}`);
  });

  it.each(traces)('$what', async ({ steps, text }) => {
    const field = page.getByRole('textbox', { name: /^Message to/ });
    const sent = await sentDuring('/input', async () => {
      await field.focus();
      await play(steps);
      expect(await field.inputValue()).toBe(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await until('the empty field', async () => (await field.inputValue()) === '');
    });
    expect(sent).toMatchObject([{ text }]);
  });
});

it('at a desk, where Enter sends, the Enter that takes a word does not', async () => {
  const desk = await visit(browser, daemon);
  const of = await startIdle(daemon, 'writer');
  await desk.page.goto(`${origin(daemon)}/#s/${of}`);
  const field = desk.page.getByRole('textbox', { name: /^Message to/ });
  const withEnter = traces.filter(({ steps }) => steps.some(({ key }) => key === 'Enter'));
  expect(withEnter).toHaveLength(2);
  for (const { steps, text } of withEnter) {
    const sent = await sentDuring(
      '/input',
      async () => {
        await field.focus();
        await play(steps, desk.page);
        expect(await field.inputValue()).toBe(text);
        const answered = desk.page.waitForResponse(/\/input$/);
        await field.press('Enter');
        await answered;
        await until('the empty field', async () => (await field.inputValue()) === '');
      },
      desk.page,
    );
    expect(sent).toMatchObject([{ text }]);
  }
  await desk.close();
});

describe('composed by the browser itself', () => {
  it('a word that is still being composed is sent once, and is gone from the field', async () => {
    await page.goto(`${origin(daemon)}/#s/${id}/terminal`);
    await page.getByRole('button', { name: 'Type into it' }).click();
    const field = page.getByRole('textbox', { name: /Text for the terminal/ });
    const keyboard = await page.context().newCDPSession(page);
    const sent = await sentDuring('/typing', async () => {
      await field.focus();
      for (const text of ['に', 'にほ', 'にほん'])
        await keyboard.send('Input.imeSetComposition', { text, selectionStart: 3, selectionEnd: 3 });
      const answered = page.waitForResponse(/\/typing$/);
      await page.getByRole('button', { name: 'Send', exact: true }).tap();
      await answered;
      expect(await field.inputValue()).toBe('');
    });
    expect(sent).toEqual([{ typed: [{ paste: 'にほん' }, { key: 'Enter' }] }]);
  });

  it('the Enter that takes a word sends nothing; the next one does, once', async () => {
    const field = page.getByRole('textbox', { name: /Text for the terminal/ });
    const keyboard = await page.context().newCDPSession(page);
    const press = (windowsVirtualKeyCode: number) =>
      keyboard.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key: 'Enter',
        code: 'Enter',
        text: windowsVirtualKeyCode === 13 ? '\r' : '',
        windowsVirtualKeyCode,
      });
    const sent = await sentDuring('/typing', async () => {
      await field.focus();
      await keyboard.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
      await press(229);
      await keyboard.send('Input.insertText', { text: '日本' });
      expect(await field.inputValue()).toBe('日本');
      const answered = page.waitForResponse(/\/typing$/);
      await press(13);
      await answered;
      expect(await field.inputValue()).toBe('');
    });
    expect(sent).toEqual([{ typed: [{ paste: '日本' }, { key: 'Enter' }] }]);
  });
});

// Rows as Qwen Code 0.24.4 draws them.
import { describe, expect, it } from 'vitest';
import type { Screen } from '../../ports/terminal.ts';
import { readQwenScreen } from './screen.ts';

const rule = '─'.repeat(120);
const hint = [
  '*   Type your message or @path/to/file',
  '\x1b[38;5;131m* \x1b[38;5;103m  Type your message or @path/to/file',
];
const footer = ['  ➜ work · git:(master) · fake-model', '  YOLO mode (shift + tab to cycle)'];

function shown(composer: string[], below: string[], { title = 'Qwen - work', above = [] as string[] } = {}) {
  const [plain, styled] = [composer[0] as string, composer[1] ?? (composer[0] as string)];
  const rows = (row: string) => [...above, rule, row, rule, ...below];
  const screen = { lines: rows(plain), styled: rows(styled), cursor: { x: 0, y: 9 }, title };
  return readQwenScreen(screen as unknown as Screen);
}

describe("Qwen Code's screen", () => {
  it.each([
    ['Qwen - work', 'idle'],
    ['◐︎ Qwen - work', 'working'],
    ['✳︎ Qwen - work', 'asking'],
  ])('its title tells what it does: %s', (title, activity) => {
    expect(shown(hint, footer, { title }).activity).toBe(activity);
  });

  it.each([
    ['with its hint', hint, true],
    ['with a blank', ['*   \u200b'], true],
    ['with a draft', ['> abc', '\x1b[38;5;183m> \x1b[39mabc\x1b[48;5;252m \u200b'], false],
    ['with a draft that begins with a blank', ['>  bc', '\x1b[38;5;183m> \x1b[39m bc'], false],
  ])('a composer %s', (_, composer, isEmpty) => {
    expect(shown(composer, footer).composer).toEqual({ isEmpty });
  });

  it('behind a dialog there is no composer', () => {
    const screen = { lines: ['  › 1. Yes, allow once', ''], styled: ['', ''], title: '' };
    expect(readQwenScreen(screen as unknown as Screen).composer).toBe(null);
  });

  it('says that the next Ctrl+C would end it', () => {
    expect(shown(hint, ['  Press Ctrl+C again to exit.']).armed).toBe(true);
    expect(shown(hint, footer).armed).toBe(false);
  });

  it('shows what waits, only while something does', () => {
    const above = ['  [sm] from the user #m12:', '  Ctrl+Q to queue · ↑ to edit queued messages'];
    const waiting = [footer[0] as string, '  Enter to steer · Ctrl+Q to queue · YOLO mode ⏳ 1 queued'];
    expect(shown(hint, waiting, { above }).pending).toContain('#m12:');
    expect(shown(hint, footer, { above }).pending).toBe('');
    expect(shown(hint, waiting, { above }).armed).toBe(false);
  });
});

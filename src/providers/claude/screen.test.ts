import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Screen } from '../../ports/terminal.ts';
import { readClaudeScreen } from './screen.ts';

const folder = join(import.meta.dirname, '../../../test/agents/screens/claude-2.1.325');

function screenOf(name: string): Screen {
  const rowsOf = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8').split('\n');
  const [header = '', ...lines] = rowsOf('txt');
  const [x, y, columns, rows] = (header.match(/\d+/g) ?? []).map(Number) as [number, number, number, number];
  return {
    lines: lines.slice(0, rows),
    styled: rowsOf('ansi').slice(1, rows + 1),
    cursor: { x, y },
    columns,
    rows,
    copyMode: false,
    dead: false,
    title: '',
    humanActiveAt: null,
  };
}

const screens = readdirSync(folder).flatMap((file) => (file.endsWith('.txt') ? [file.slice(0, -4)] : []));

describe('the screens of Claude Code 2.1.325', () => {
  it.each(screens.filter((name) => name.startsWith('dialog-') || name.startsWith('rewind')))(
    '%s is a dialog',
    (name) => {
      const reading = readClaudeScreen(screenOf(name));
      expect(reading.shows).toBe('dialog');
      expect(reading.text).not.toBe('');
    },
  );

  it.each(
    screens.filter((name) => /^(idle|cleared|compacted|failed-turn|interrupted-(streaming|tool))/.test(name)),
  )('%s is an idle, empty composer', (name) => {
    expect(readClaudeScreen(screenOf(name))).toMatchObject({
      shows: 'composer',
      draft: '',
      activity: 'idle',
    });
  });

  it.each(
    screens.filter((name) =>
      /^(draft|returned-prompt|slash-menu|stash-and-draft|bash-mode|working-draft)/.test(name),
    ),
  )('%s holds a draft', (name) => {
    const reading = readClaudeScreen(screenOf(name));
    expect(reading.shows === 'composer' && reading.draft).not.toBe('');
  });

  it.each(screens.filter((name) => /^working-(tool|queued|no-output|draft)/.test(name)))(
    '%s works',
    (name) => {
      expect(readClaudeScreen(screenOf(name))).toMatchObject({ shows: 'composer', activity: 'working' });
    },
  );

  it.each(screens.filter((name) => /^working-(tool|queued|no-output|streaming)/.test(name)))(
    '%s has an empty composer',
    (name) => {
      expect(readClaudeScreen(screenOf(name))).toMatchObject({ shows: 'composer', draft: '' });
    },
  );

  it.each(screens.filter((name) => name.startsWith('working-streaming')))(
    '%s does not pass for idle',
    (name) => {
      expect(readClaudeScreen(screenOf(name))).not.toMatchObject({ activity: 'idle' });
    },
  );

  it.each(screens.filter((name) => name.startsWith('stash')))('%s shows the stash', (name) => {
    expect(readClaudeScreen(screenOf(name))).toMatchObject({ stash: true });
  });

  it('reads a draft of three lines as it was typed', () => {
    expect(readClaudeScreen(screenOf('draft-three-lines'))).toMatchObject({
      draft: 'first line\nsecond line\nthird line',
    });
  });

  it('knows a long paste, which is shown folded, by its lines', () => {
    for (const name of screens.filter((each) => each.startsWith('draft-big-paste')))
      expect(readClaudeScreen(screenOf(name))).toMatchObject({
        draft: '[Pasted text #1 +160 lines]',
        folded: { counts: 'line-breaks', least: 160, most: 160 },
      });
  });

  it.each([
    ['of a single line', '[Pasted text #2]', { counts: 'line-breaks', least: 0, most: 0 }],
    ['not with words behind it', '[Pasted text #1 +1 lines] please', null],
    ['not of two', '[Pasted text #1 +1 lines][Pasted text #2]', null],
  ])('knows a folded paste %s', (_, draft, folded) => {
    const screen = screenOf('draft-big-paste');
    const lines = screen.lines.map((line) => line.replace('[Pasted text #1 +160 lines]', draft));
    const reading = readClaudeScreen({ ...screen, lines });
    expect(reading).toMatchObject({ shows: 'composer', draft });
    expect('folded' in reading ? reading.folded : null).toEqual(folded);
  });

  it('gives the text of a permission dialog', () => {
    expect(readClaudeScreen(screenOf('dialog-permission')).text).toMatch(
      /^Bash command\n.*\ntouch made-by-bash; sleep 1\nDo you want to proceed\?\n❯ 1\. Yes/s,
    );
  });
});

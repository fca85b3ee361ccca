import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Screen } from '../../ports/terminal.ts';
import { readCodexScreen } from './screen.ts';

const folder = join(import.meta.dirname, '../../../test/agents/screens/codex-0.166.0');

function screenOf(name: string): Screen {
  const rowsOf = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8').split('\n');
  const [header = '', ...lines] = rowsOf('txt');
  const [, x, y, columns, rows, title = ''] =
    /cursor (\d+) (\d+) size (\d+) (\d+) title (.*)/.exec(header) ?? [];
  return {
    lines: lines.slice(0, Number(rows)),
    styled: rowsOf('ansi').slice(1, Number(rows) + 1),
    cursor: { x: Number(x), y: Number(y) },
    columns: Number(columns),
    rows: Number(rows),
    copyMode: false,
    dead: false,
    title,
    humanActiveAt: null,
  };
}

const screens = readdirSync(folder).flatMap((file) => (file.endsWith('.txt') ? [file.slice(0, -4)] : []));
const named = (pattern: RegExp) => screens.filter((name) => pattern.test(name));

describe('the screens of Codex 0.166.0', () => {
  it.each(named(/^dialog-/))('%s is a dialog', (name) => {
    const reading = readCodexScreen(screenOf(name));
    expect(reading.shows).toBe('dialog');
    expect(reading.text).not.toBe('');
  });

  it('a dialog is told with its own words, and none of the conversation', () => {
    const { text } = readCodexScreen(screenOf('dialog-permission-80x24'));
    expect(text).toMatch(/^Would you like to run the following command\?/);
    expect(readCodexScreen(screenOf('dialog-trust')).text).toContain('Trust this folder?');
  });

  it.each(named(/^(idle|cleared|compacted|failed-turn|interrupted|permission-escaped)/))(
    '%s is an idle, empty composer',
    (name) => {
      const reading = readCodexScreen(screenOf(name));
      expect(reading).toMatchObject({ shows: 'composer', draft: '', activity: 'idle', pending: '' });
    },
  );

  it.each(named(/^(working-(no-output|streaming|tool|steer-pending)|compacting)/))(
    '%s is a composer that is empty while it works',
    (name) => {
      expect(readCodexScreen(screenOf(name))).toMatchObject({
        shows: 'composer',
        draft: '',
        activity: 'working',
      });
    },
  );

  it.each([
    ['draft-one-line', 'half a thought'],
    ['draft-four-lines', 'line one\nline two\n\nline four'],
    ['draft-numbered', '1. first\n2. second'],
    ['draft-ends-with-newline', 'ends with newline\n'],
    ['working-draft', 'draft in turn'],
    ['slash-menu', '/'],
    ['bash-mode', '!'],
    ['at-popup', 'see @wo'],
  ])('%s has what was typed', (name, draft) => {
    for (const size of ['', '-80x24'])
      expect(readCodexScreen(screenOf(name + size))).toMatchObject({ shows: 'composer', draft });
  });

  it('a wrapped draft and a big paste are drafts', () => {
    for (const name of named(/^draft-(wrapped|big-paste)/))
      expect(readCodexScreen(screenOf(name))).toMatchObject({
        shows: 'composer',
        draft: expect.stringMatching(/^one two|^\[Pasted Content \d+ chars\]$/),
      });
  });

  it('a big paste, which is shown folded, is known by its characters, with or without the blank behind it', () => {
    for (const name of named(/^draft-big-paste/))
      expect(readCodexScreen(screenOf(name))).toMatchObject({
        folded: { counts: 'characters', least: 4841, most: 4842 },
      });
    for (const name of named(/^draft-(wrapped|one-line)/))
      expect(readCodexScreen(screenOf(name))).not.toHaveProperty('folded');
  });

  it('a big paste with something written behind it is none', () => {
    const screen = screenOf('draft-big-paste');
    const lines = screen.lines.map((line) => line.replace('chars]', 'chars] please'));
    const reading = readCodexScreen({ ...screen, lines });
    expect(reading).toMatchObject({ draft: '[Pasted Content 4842 chars] please' });
    expect(reading).not.toHaveProperty('folded');
  });

  it('what it will take up after its tool is read as such', () => {
    expect(readCodexScreen(screenOf('working-steer-pending-80x24'))).toMatchObject({
      pending: expect.stringContaining('steer'),
    });
  });

  it('without the sign in its title, a stream is unclear', () => {
    const screen = { ...screenOf('working-streaming'), title: 'host' };
    expect(readCodexScreen(screen)).toMatchObject({ shows: 'composer', activity: 'unclear' });
  });

  it('an agent that quotes the row of a turn does not work', () => {
    const screen = screenOf('idle-after-turn');
    const lines = screen.lines.map((line) =>
      line === '  hi' ? '  ◦ Working (1s • esc to interrupt)' : line,
    );
    expect(lines).not.toEqual(screen.lines);
    expect(readCodexScreen({ ...screen, lines })).toMatchObject({ shows: 'composer', activity: 'idle' });
  });

  it('an empty screen is unknown', () => {
    const screen = screenOf('idle-fresh');
    expect(readCodexScreen({ ...screen, lines: screen.lines.map(() => '') }).shows).toBe('unknown');
  });
});

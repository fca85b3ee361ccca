import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Screen } from '../../ports/terminal.ts';
import { readCopilotScreen } from './screen.ts';

const folder = join(import.meta.dirname, '../../../test/agents/screens/copilot-1.0.102');

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
const read = (name: string) => readCopilotScreen(screenOf(name));

describe('the screens of Copilot 1.0.102', () => {
  it.each(named(/^dialog-/))('%s is a dialog', (name) => {
    const reading = read(name);
    expect(reading.shows).toBe('dialog');
    expect(reading.text).not.toBe('');
  });

  it('a dialog is told with its own words, and none of the conversation', () => {
    expect(read('dialog-permission').text).toMatch(
      /^it is asked for\ntouch asked-for\nDo you want to run this command\?\n❯ 1\. Yes/,
    );
    expect(read('dialog-trust').text).toContain('Do you trust the files in this folder?');
    expect(read('dialog-ask-user').text).toContain('Which colour?');
  });

  it.each(named(/^(idle|cleared|compacted|failed-turn|interrupted|sidebar-left|other-tab-left)/))(
    '%s is an idle, empty composer',
    (name) => {
      expect(read(name)).toMatchObject({ shows: 'composer', draft: '', activity: 'idle' });
    },
  );

  it.each(named(/^(working-(?!draft)|compacting)/))(
    '%s is a composer that is empty while it works',
    (name) => {
      expect(read(name)).toMatchObject({ shows: 'composer', draft: '', activity: 'working' });
    },
  );

  it.each([
    ['draft-one-line', 'half a thought'],
    ['draft-beside-stash', 'another one'],
    ['draft-four-lines', 'one\ntwo\nthree\nfour'],
    ['draft-numbered', '1. yes'],
    ['draft-blank', ' '],
    ['working-draft', 'my draft'],
    ['at-popup', '@'],
    ['bash-mode', '!'],
    ['bash-mode-draft', '!ls'],
  ])('%s has a draft', (name, draft) => {
    for (const size of ['', '-80x24'])
      expect(read(`${name}${size}`), `${name}${size}`).toMatchObject({ shows: 'composer', draft });
  });

  it('a draft that is wider than the composer is read in rows', () => {
    const { draft } = read('draft-wrapped-80x24') as { draft: string };
    expect(draft.split('\n').length).toBeGreaterThan(3);
    expect(draft).toMatch(/^word1 word2 [\s\S]*word60$/);
  });

  it('a long paste is known by its size', () => {
    expect(read('draft-big-paste')).toMatchObject({
      draft: expect.stringMatching(/^\[Paste #\d+ - 40 lines\]$/),
      folded: { counts: 'line-breaks', least: 39, most: 39 },
    });
  });

  it('what stands in the stash is seen', () => {
    for (const name of ['idle-stashed', 'draft-beside-stash'])
      expect(read(name), name).toMatchObject({ stash: true });
    for (const name of ['idle-fresh', 'draft-one-line', 'working-streaming'])
      expect(read(name), name).toMatchObject({ stash: false });
  });

  it('an interrupt is seen when it is the last thing that is told', () => {
    for (const name of named(/^interrupted-/)) expect(read(name), name).toMatchObject({ interrupted: true });
    for (const name of ['idle-after-turn', 'failed-turn', 'working-streaming'])
      expect(read(name), name).toMatchObject({ interrupted: false });
  });

  it.each(named(/^(sidebar|other-tab)(-80x24)?$/))('%s takes no text, and is unknown', (name) => {
    expect(read(name).shows).toBe('unknown');
  });

  it('a menu stands above what was typed for it, which is a draft', () => {
    expect(read('slash-menu')).toMatchObject({ shows: 'composer', draft: expect.stringMatching(/^\//) });
  });
});

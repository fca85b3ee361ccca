import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Screen } from '../../ports/terminal.ts';
import { readGeminiScreen } from './screen.ts';

const folder = join(import.meta.dirname, '../../../test/agents/screens/gemini-0.61.0');

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

/** The same with other rows in the place of the composer. */
function withRows(...rows: string[]): Screen {
  const screen = screenOf('idle');
  const at = screen.lines.findIndex((line) => line.startsWith(' *   Type your message'));
  return { ...screen, lines: [...screen.lines.slice(0, at), ...rows, ...screen.lines.slice(at + 1)] };
}

describe('the screens of Gemini CLI 0.61.0', () => {
  it('have an empty composer when nothing runs', () => {
    expect(readGeminiScreen(screenOf('idle'))).toMatchObject({
      shows: 'composer',
      draft: '',
      activity: 'idle',
      interrupted: false,
      pending: '',
    });
  });

  it('show what is queued while it starts', () => {
    const reading = readGeminiScreen(screenOf('queued-at-start'));
    expect(reading).toMatchObject({ shows: 'composer', draft: '' });
    expect('pending' in reading && reading.pending).toContain('greet [[say hello there]]');
  });

  it('tell a turn by the title', () => {
    expect(readGeminiScreen({ ...screenOf('idle'), title: '✦  Working… (work)' })).toMatchObject({
      activity: 'working',
    });
    // Its user may want another title.
    expect(readGeminiScreen({ ...screenOf('idle'), title: 'work' })).toMatchObject({ activity: 'unclear' });
  });

  it('tell a draft from what nobody has typed', () => {
    expect(readGeminiScreen(withRows(' > fix it', '   and test it'))).toMatchObject({
      draft: 'fix it\nand test it',
    });
    expect(readGeminiScreen(withRows(' ! ls'))).toMatchObject({ draft: '!ls' });
    expect(readGeminiScreen(withRows(' >  '))).toMatchObject({ draft: ' ' });
  });

  it('show a long paste by its size', () => {
    expect(readGeminiScreen(withRows(' > [Pasted Text: 31 lines]'))).toMatchObject({
      folded: { counts: 'line-breaks', least: 30, most: 30 },
    });
    expect(readGeminiScreen(withRows(' > [Pasted Text: 31 lines] and this'))).not.toHaveProperty('folded');
  });

  it('are not recognised without a composer', () => {
    const screen = screenOf('idle');
    const lines = screen.lines.map((line) => (line.startsWith('─') ? '' : line));
    expect(readGeminiScreen({ ...screen, lines }).shows).toBe('unknown');
  });
});

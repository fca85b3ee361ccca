import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from './grid.ts';

/** A terminal that knows what a difference is made of. */
class Terminal {
  readonly cells: string[][];
  cursor = { row: 0, column: 0, shown: false };

  constructor(rows: number, columns: number) {
    this.cells = Array.from({ length: rows }, () => new Array<string>(columns).fill(' '));
  }

  write(text: string): void {
    for (const [part, place, mode] of text.matchAll(
      /\x1b\[(\d+;\d+)H|\x1b\[(\?25[hl])|\x1b\[2J|\x1b\[[\d;?]*[a-z]|\P{Cc}/gu,
    )) {
      if (place) {
        const [row = 1, column = 1] = place.split(';').map(Number);
        this.cursor = { ...this.cursor, row: row - 1, column: column - 1 };
      } else if (mode) this.cursor.shown = mode === '?25h';
      else if (part === '\x1b[2J') for (const row of this.cells) row.fill(' ');
      else if (!part.startsWith('\x1b')) this.put(part);
    }
  }

  put(glyph: string): void {
    const wide = /[\u1100-\u{1ffff}]/u.test(glyph) && !/[\u2000-\u2fff]/.test(glyph);
    const row = this.cells[this.cursor.row] as string[];
    row[this.cursor.column] = glyph;
    if (wide) row[this.cursor.column + 1] = '';
    this.cursor.column += wide ? 2 : 1;
  }

  line = (row: number) => this.cells[row]?.join('') ?? '';
}

const words = fc.array(fc.constantFrom('a', 'b ', '日', '本語', 'é', '●', ' ', 'text'), { maxLength: 8 });
const picture = fc.array(
  fc.record({
    row: fc.nat(3),
    column: fc.nat(15),
    text: words.map((parts) => parts.join('')),
    style: fc.constantFrom('', '1', '31'),
  }),
  { maxLength: 6 },
);

function drawn(texts: readonly { row: number; column: number; text: string; style: string }[]): Grid {
  const grid = new Grid(4, 16);
  for (const { row, column, text, style } of texts) grid.text(row, column, text, style);
  return grid;
}

describe('a difference', () => {
  it('turns any picture into any other', () => {
    fc.assert(
      fc.property(picture, picture, (before, after) => {
        const [one, other] = [drawn(before), drawn(after)];
        const terminal = new Terminal(4, 16);
        terminal.write(one.difference(null));
        terminal.write(other.difference(one));
        for (let row = 0; row < 4; row += 1) expect(terminal.line(row)).toBe(other.line(row));
      }),
    );
  });

  it('is nothing where nothing differs', () => {
    const texts = [{ row: 1, column: 2, text: '日本 ok', style: '1' }];
    expect(drawn(texts).difference(drawn(texts))).toBe('');
  });

  it('is one synchronized update, and only what differs', () => {
    const before = drawn([{ row: 0, column: 0, text: 'one two', style: '' }]);
    const after = drawn([{ row: 0, column: 0, text: 'one tow', style: '' }]);
    expect(after.difference(before)).toBe('\x1b[?2026h\x1b[?25l\x1b[1;6How\x1b[?2026l');
  });

  it('sets the cursor anew behind what terminals may not agree about', () => {
    expect(drawn([{ row: 0, column: 0, text: '日x', style: '' }]).difference(null)).toContain('日\x1b[1;3Hx');
  });

  it('shows and hides the cursor', () => {
    const [hidden, shown] = [new Grid(2, 4), new Grid(2, 4)];
    shown.cursor = { row: 1, column: 2 };
    expect(shown.difference(hidden)).toBe('\x1b[?2026h\x1b[?25l\x1b[2;3H\x1b[?25h\x1b[?2026l');
    expect(hidden.difference(shown)).toBe('\x1b[?2026h\x1b[?25l\x1b[?2026l');
    expect(shown.difference(shown)).toBe('');
  });
});

it('cuts a wide character that does not fit', () => {
  const grid = new Grid(1, 3);
  expect(grid.text(0, 0, 'ab日')).toBe(2);
  expect(grid.line(0)).toBe('ab ');
  grid.cells(0, 0, [
    { glyph: 'a', style: '' },
    { glyph: 'b', style: '' },
    { glyph: '日', style: '' },
    { glyph: '', style: '' },
  ]);
  expect(grid.line(0)).toBe('ab ');
});

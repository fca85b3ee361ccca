// A screen as a grid of cells, and the bytes that turn one grid into the next. Only what differs is written, in one
// synchronized update, so that nothing flickers and nothing is written at rest.

import type { Depth } from '../faces/pen.ts';
import { type Cell, cellsOf, glyphs, isUncertain } from './cells.ts';
import { colourless } from './style.ts';

export interface Place {
  readonly row: number;
  readonly column: number;
}

export class Grid {
  readonly rows: number;
  readonly columns: number;
  readonly #glyphs: string[];
  readonly #styles: string[];
  /** Where the terminal's own cursor stands; null: it is not shown. */
  cursor: Place | null = null;

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.#glyphs = new Array<string>(rows * columns).fill(' ');
    this.#styles = new Array<string>(rows * columns).fill('');
  }

  /** Writes from `column` up to, and not including, `end`; answers the column behind it. */
  text(row: number, column: number, text: string, style = '', end = this.columns): number {
    let at = column;
    for (const [glyph, width] of glyphs(text)) {
      if (at + width > end) break;
      this.#set(row, at, glyph, style);
      if (width === 2) this.#set(row, at + 1, '', style);
      at += width;
    }
    return at;
  }

  cells(row: number, column: number, cells: readonly Cell[], end = this.columns): void {
    for (const [index, { glyph, style }] of cells.entries()) {
      const at = column + index;
      if (at >= end) return;
      // Half of a wide character cannot be shown.
      const whole = cells[index + 1]?.glyph !== '' || at + 1 < end;
      this.#set(row, at, whole ? glyph : ' ', style);
    }
  }

  styled(row: number, column: number, text: string, depth: Depth, end = this.columns): void {
    this.cells(row, column, cellsOf(text, depth), end);
  }

  /** The same cells in another style, as the row under the cursor. */
  mark(row: number, from: number, to: number, change: (style: string) => string): void {
    for (let column = from; column < to; column += 1) {
      const at = row * this.columns + column;
      this.#styles[at] = change(this.#styles[at] ?? '');
    }
  }

  fill(row: number, from: number, to: number, glyph: string, style = ''): void {
    for (let column = from; column < to; column += 1) this.#set(row, column, glyph, style);
  }

  /** For who wants none (`NO_COLOR`): bold, faint and reverse stay. */
  dropColours(): void {
    for (const [at, style] of this.#styles.entries()) if (style !== '') this.#styles[at] = colourless(style);
  }

  #set(row: number, column: number, glyph: string, style: string): void {
    if (row < 0 || row >= this.rows || column < 0 || column >= this.columns) return;
    const at = row * this.columns + column;
    // Half of a wide character is nothing.
    if (this.#glyphs[at] === '' && glyph !== '') this.#glyphs[at - 1] = ' ';
    if (this.#glyphs[at + 1] === '' && column + 1 < this.columns) this.#glyphs[at + 1] = ' ';
    this.#glyphs[at] = glyph;
    this.#styles[at] = style;
  }

  /** What a row shows, for tests. */
  line(row: number): string {
    return this.#glyphs.slice(row * this.columns, (row + 1) * this.columns).join('');
  }

  /** What must be written after `before`; all of it if that had another size, or nothing is known. */
  difference(before: Grid | null): string {
    const known = before && before.rows === this.rows && before.columns === this.columns ? before : null;
    const written: string[] = known ? [] : ['\x1b[0m\x1b[2J'];
    let style = '';
    for (let row = 0; row < this.rows; row += 1) {
      let isUnsure = false; // whether what was written last may have covered the next cell
      let at = -1; // the column at which the terminal's cursor stands in this row; -1: elsewhere
      for (let column = 0; column < this.columns; column += 1) {
        const place = row * this.columns + column;
        const glyph = this.#glyphs[place] as string;
        if (glyph === '' || (!isUnsure && this.#same(place, known))) continue;
        const here = `\x1b[${row + 1};${column + 1}H`;
        if (at !== column) written.push(here);
        const wanted = this.#styles[place] as string;
        if (wanted !== style) {
          written.push(wanted === '' ? '\x1b[0m' : `\x1b[0;${wanted}m`);
          style = wanted;
        }
        isUnsure = isUncertain(glyph);
        // A terminal that draws it in one column would leave what stood in the second.
        if (glyph.length > 1 && column + 1 < this.columns && this.#glyphs[place + 1] === '')
          written.push('  ', here);
        written.push(glyph);
        at = isUnsure ? -1 : column + 1;
      }
    }
    if (style !== '') written.push('\x1b[0m');
    const moved = known?.cursor?.row !== this.cursor?.row || known?.cursor?.column !== this.cursor?.column;
    if (written.length === 0 && !moved) return '';
    const cursor = this.cursor ? `\x1b[${this.cursor.row + 1};${this.cursor.column + 1}H\x1b[?25h` : '';
    return `\x1b[?2026h\x1b[?25l${written.join('')}${cursor}\x1b[?2026l`;
  }

  /** A wide character is the same only as a whole. */
  #same(place: number, known: Grid | null): boolean {
    if (!known) return this.#glyphs[place] === ' ' && this.#styles[place] === '';
    const equal = (at: number) =>
      known.#glyphs[at] === this.#glyphs[at] && known.#styles[at] === this.#styles[at];
    return equal(place) && (this.#glyphs[place + 1] !== '' || equal(place + 1));
  }
}

// Rows in aligned columns. A list may have thousands of them, drawn by a program that has just started: whatever can be done
// once for a column is not done for each cell.
import { cut, cutStart, oddWidths, textWidth } from './width.ts';

type Paint = (text: string) => string;
export type Cell = string | PaintedCell;

interface PaintedCell {
  readonly text: string;
  /** Applied when the widths are settled: colours take no room. */
  readonly paint?: Paint | undefined;
}

export interface Column {
  readonly title: string;
  /** Of a path the end says most. */
  readonly cutAt?: 'start';
  /** Columns with a number are dropped where the terminal is too narrow: the smallest number first. */
  readonly leaves?: number;
}

export interface FilledColumn extends Column {
  /** Of each row. */
  readonly texts: readonly string[];
  readonly paints?: readonly (Paint | undefined)[] | undefined;
}

const gap = '  ';
const narrowest = 8;
/** The longest texts are in the last column. */
const narrowestLast = 16;

/** The lines of a table; columns that are empty in every row are left out, long cells cut to what fits. */
export function tableLines(
  heading: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  room?: number,
): string[] {
  const columns = heading.map((each, at): FilledColumn => {
    const cells = rows.map((row) => row[at] ?? '');
    return {
      ...(typeof each === 'string' ? { title: each } : each),
      texts: cells.map((cell) => (typeof cell === 'string' ? cell : cell.text)),
      paints: cells.map((cell) => (typeof cell === 'string' ? undefined : cell.paint)),
    };
  });
  return columnLines(columns, rows.length, room);
}

/** The same, of so many rows that are there column by column. */
export function columnLines(columns: readonly FilledColumn[], count: number, room?: number): string[] {
  const filled = columns.flatMap((column): Sized[] => {
    const sizes = oddWidths(column.texts);
    let widest = 0;
    for (const { length } of column.texts) if (length > widest) widest = length;
    if (sizes) widest = Math.max(...sizes);
    return widest === 0
      ? []
      : [{ ...column, sizes, widest, width: Math.max(widest, textWidth(column.title)) }];
  });
  const shown = room === undefined ? filled : shrink(thatFit(filled, room), room);
  const head = shown.map((column) => padded(column.title, textWidth(column.title), column));
  const cells = shown.map(cellsOf);
  const lines = [head.join('').trimEnd()];
  for (let row = 0; row < count; row += 1) {
    let line = '';
    for (let at = 0; at < cells.length; at += 1) line += cells[at]?.[row];
    lines.push(line.trimEnd());
  }
  return lines;
}

interface Sized extends FilledColumn {
  /** Null: as wide as they are long. */
  readonly sizes: readonly number[] | null;
  readonly widest: number;
  readonly width: number;
}

/** Each exactly as wide as the column, with the gap that follows. */
function cellsOf(column: Sized): readonly string[] {
  const { texts, paints, sizes, widest, width } = column;
  const cells =
    sizes === null && widest <= width
      ? texts.map((text) => text.padEnd(width + gap.length))
      : texts.map((text, at) => padded(text, sizes?.[at] ?? text.length, column));
  return paints ? cells.map((cell, at) => painted(cell, texts[at] ?? '', paints[at])) : cells;
}

function padded(text: string, size: number, { width, cutAt }: Sized): string {
  if (size <= width) return text + ' '.repeat(width - size) + gap;
  const short = cutAt === 'start' ? cutStart(text, width) : cut(text, width);
  return short + ' '.repeat(width - textWidth(short)) + gap;
}

/** Only its text, not what fills the column up. */
function painted(cell: string, text: string, paint: Paint | undefined): string {
  if (!paint || text === '') return cell;
  const end = cell.startsWith(text) ? text.length : cell.trimEnd().length;
  return paint(cell.slice(0, end)) + cell.slice(end);
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);

/** The columns that fit when each has its least width. */
function thatFit(columns: readonly Sized[], room: number): readonly Sized[] {
  const least = columns.map(({ width }, at) =>
    Math.min(width, at === columns.length - 1 ? narrowestLast : narrowest),
  );
  if (total(least) <= room) return columns;
  const [first] = columns
    .filter(({ leaves }) => leaves !== undefined)
    .sort((a, b) => Number(a.leaves) - Number(b.leaves));
  return first
    ? thatFit(
        columns.filter((column) => column !== first),
        room,
      )
    : columns;
}

/** Takes the missing room from the last column, where the longest texts are, and then from whichever is widest. */
function shrink(columns: readonly Sized[], room: number): readonly Sized[] {
  const widths = columns.map(({ width }) => width);
  const last = widths.length - 1;
  const surplus = total(widths) - room;
  if (surplus > 0) widths[last] = Math.max(Math.min(20, widths[last] ?? 0), (widths[last] ?? 0) - surplus);
  while (total(widths) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? 0 }));
}

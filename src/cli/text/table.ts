// Rows in aligned columns.
import { cut, cutStart, textWidth, textWidths } from './width.ts';

export type Cell = string | PaintedCell;

interface PaintedCell {
  readonly text: string;
  /** Applied when the widths are settled: colours take no room. */
  readonly paint?: ((text: string) => string) | undefined;
}

export interface Column {
  readonly title: string;
  /** Of a path the end says most. */
  readonly cutAt?: 'start';
  /** Columns with a number are dropped where the terminal is too narrow: the smallest number first. */
  readonly leaves?: number;
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
  const filled = heading.flatMap((each, at): Sized[] => {
    const column = typeof each === 'string' ? { title: each } : each;
    // A list has thousands of cells: each is measured once.
    const sizes = textWidths(rows.map((row) => textOf(row[at] ?? '')));
    let widest = 0;
    for (const size of sizes) if (size > widest) widest = size;
    return widest === 0 ? [] : [{ ...column, at, sizes, width: Math.max(widest, textWidth(column.title)) }];
  });
  const shown = room === undefined ? filled : shrink(thatFit(filled, room), room);
  const head = shown.map((column) => padded(column.title, textWidth(column.title), column));
  return [
    head.join(gap).trimEnd(),
    ...rows.map((row, index) => {
      let line = '';
      for (const column of shown)
        line += padded(row[column.at] ?? '', column.sizes[index] ?? 0, column) + gap;
      return line.trimEnd();
    }),
  ];
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

/** Exactly as wide as its column. */
function padded(cell: Cell, size: number, { width, cutAt }: Sized): string {
  if (typeof cell === 'string' && size <= width) return cell.padEnd(cell.length + width - size);
  const { text, paint } = typeof cell === 'string' ? { text: cell, paint: undefined } : cell;
  const short = size <= width ? text : cutAt === 'start' ? cutStart(text, width) : cut(text, width);
  return (paint ? paint(short) : short) + ' '.repeat(width - textWidth(short));
}

interface Sized extends Column {
  readonly at: number;
  /** Of the text in each row. */
  readonly sizes: readonly number[];
  readonly width: number;
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

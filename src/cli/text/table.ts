// Rows in aligned columns.
import { cut, cutStart, textWidth } from './width.ts';

export interface Cell {
  readonly text: string;
  /** Applied when the widths are settled: colours take no room. */
  readonly paint?: ((text: string) => string) | undefined;
}

export interface Column {
  readonly title: string;
  /** Of a path the end says most. */
  readonly cutAt?: 'start';
  /** Where there is no room for all columns, those leave that have a number: the smallest first. */
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
  const columns = heading.map((each): Column => (typeof each === 'string' ? { title: each } : each));
  const titles = columns.map(({ title }): Cell => ({ text: title }));
  const widest = columns.map(() => 0);
  // A list has thousands of cells: each is measured once.
  const sizes = rows.map((row) =>
    row.map(({ text }, at) => {
      const size = textWidth(text);
      if (size > (widest[at] ?? 0)) widest[at] = size;
      return size;
    }),
  );
  const filled = columns.flatMap((column, at): Sized[] => {
    const width = widest[at] ?? 0;
    return width === 0 ? [] : [{ ...column, at, width: Math.max(width, textWidth(column.title)) }];
  });
  const shown = room === undefined ? filled : shrink(thatFit(filled, room), room);
  return [
    lineOf(
      titles,
      titles.map(({ text }) => textWidth(text)),
      shown,
    ),
    ...rows.map((row, index) => lineOf(row, sizes[index] ?? [], shown)),
  ];
}

function lineOf(row: readonly Cell[], sizes: readonly number[], columns: readonly Sized[]): string {
  let line = '';
  for (const column of columns) {
    const { at, width, cutAt } = column;
    const { text, paint } = row[at] ?? { text: '' };
    const size = sizes[at] ?? 0;
    const short = size <= width ? text : cutAt === 'start' ? cutStart(text, width) : cut(text, width);
    const used = size <= width ? size : textWidth(short);
    line += (paint ? paint(short) : short) + ' '.repeat(width - used) + gap;
  }
  return line.trimEnd();
}

interface Sized extends Column {
  readonly at: number;
  readonly width: number;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);

/** Those that there is room for when all are as narrow as can be. */
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

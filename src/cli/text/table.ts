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
  const titles = heading.map((each) => (typeof each === 'string' ? each : each.title));
  const cells = [titles.map((text): Cell => ({ text })), ...rows];
  const sizes = cells.map((row) => row.map(({ text }) => textWidth(text)));
  const columns = heading.map((each, at): Sized => {
    const column: Column = typeof each === 'string' ? { title: each } : each;
    return { ...column, at, width: sizes.reduce((most, row) => Math.max(most, row[at] ?? 0), 0) };
  });
  const filled = columns.filter(({ at }) => sizes.some((row, index) => index > 0 && (row[at] ?? 0) > 0));
  const shown = room === undefined ? filled : shrink(thatFit(filled, room), room);
  return cells.map((row, index) =>
    shown
      .map((column) => render(row[column.at], sizes[index]?.[column.at] ?? 0, column))
      .join(gap)
      .trimEnd(),
  );
}

function render({ text, paint }: Cell = { text: '' }, size: number, { width, cutAt }: Sized): string {
  const short = size <= width ? text : cutAt === 'start' ? cutStart(text, width) : cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - (size <= width ? size : textWidth(short))));
  return (paint ? paint(short) : short) + padding;
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

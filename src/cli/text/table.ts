// Rows in aligned columns.
import { cut, padEnd, textWidth } from './width.ts';

export interface Cell {
  readonly text: string;
  /** Applied when the widths are settled: colours take no room. */
  readonly paint?: ((text: string) => string) | undefined;
}

const gap = '  ';
const narrowest = 8;

/** The lines of a table; columns that are empty in every row are left out, long cells cut to what fits. */
export function tableLines(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns?: number,
): string[] {
  const shown = heading.map((_, column) => column).filter((column) => rows.some((row) => row[column]?.text));
  const cells = [heading.map((text): Cell => ({ text })), ...rows].map((row) =>
    shown.map((column) => row[column] ?? { text: '' }),
  );
  const natural = shown.map((_, column) =>
    Math.max(...cells.map((row) => textWidth(row[column]?.text ?? ''))),
  );
  const widths = columns === undefined ? natural : shrink(natural, columns);
  return cells.map((row) =>
    row
      .map((cell, column) => render(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

function render({ text, paint }: Cell, width: number): string {
  const short = cut(text, width);
  const padding = padEnd(short, width).slice(short.length);
  return (paint ? paint(short) : short) + padding;
}

/** Takes the missing room from the last column, where the longest texts are, and then from whichever is widest. */
function shrink(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  const last = widths.length - 1;
  const surplus = total() - columns;
  if (surplus > 0) widths[last] = Math.max(Math.min(20, widths[last] ?? 0), (widths[last] ?? 0) - surplus);
  while (total() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= narrowest) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

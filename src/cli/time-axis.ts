// The time axis below a curve: a line with ticks, and the clock below them.
import type { Range } from './curve.ts';
import { clock } from './format/time.ts';

const quarter = 15 * 60_000;

/** `isOpen`: its right end is now. */
export function timeAxis(
  { from, to }: Range,
  columns: number,
  { now, isOpen }: { now: number; isOpen: boolean },
): string[] {
  const label = (at: number): string => {
    const text = clock(at, now).replace(/^\d{4}-/, '');
    return to - from < quarter ? text : text.slice(0, -3);
  };
  const end = isOpen ? 'now' : '';
  // The first is of the oldest time, which has the date if any has.
  const spacing = label(from).length + 5;
  let line = '';
  let labels = '';
  for (let column = 0; column < columns; column += spacing) {
    const text = label(from + ((to - from) * column) / columns);
    if (column + text.length > columns - end.length - 1) break;
    line = `${line.padEnd(column, '─')}┬`;
    labels = labels.padEnd(column) + text;
  }
  return [`  0%└${line.padEnd(columns, '─')}`, `     ${labels.padEnd(columns - end.length)}${end}`.trimEnd()];
}

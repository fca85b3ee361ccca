// The way of a message from row to row: an arc to the right of the names. Downwards and upwards are two arcs.

export const rowHeight = 30;
/** Where arcs begin and end. */
export const left = 12;

const middle = (row: number): number => row * rowHeight + rowHeight / 2;

/** How far an arc goes out. */
function reach(from: number, to: number): number {
  return Math.min(210, 30 + 34 * Math.sqrt(Math.abs(to - from)) + (to < from ? 16 : 0));
}

export function arcPath(from: number, to: number): string {
  const out = left + reach(from, to);
  const [start, end] = [middle(from), middle(to)];
  return `M${left} ${start}C${out} ${start} ${out} ${end} ${left} ${end}`;
}

/** Points on the arc, seen from its end. */
export function wayTo(from: number, to: number, steps = 16): { readonly x: number; readonly y: number }[] {
  const out = reach(from, to);
  const [start, end] = [middle(from), middle(to)];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const t = step / steps;
    const bend = 3 * t * (1 - t) ** 2 + 3 * t ** 2 * (1 - t);
    const y = start * ((1 - t) ** 3 + 3 * t * (1 - t) ** 2) + end * (t ** 3 + 3 * t ** 2 * (1 - t));
    return { x: out * bend, y: y - end };
  });
}

export const restingAt = (row: number, place: number): { readonly x: number; readonly y: number } => ({
  x: left + 8 + place * 18,
  y: middle(row),
});

// Reading JSON that somebody else wrote: what is not of the kind that is wanted is not there.

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Everything that agents count: tokens, percents, seconds, money. None of it is negative, or beyond what is exact. */
export const number = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;

/** Agents tell times in seconds; of a time that no calendar has there is nothing to tell. */
export function timeIn(seconds: unknown): number | null {
  const ms = (number(seconds) ?? Number.NaN) * 1_000;
  return ms <= 8.64e15 ? ms : null;
}

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** What is there, as a list. */
export const present = <T>(value: T | null): T[] => (value === null ? [] : [value]);

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Every text in it, in its order, at whatever depth: deeper than any stack. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null)
      for (const part of Object.values(next).reverse()) left.push(part);
  }
  return texts;
}

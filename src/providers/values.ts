// Reading JSON that somebody else wrote: what is not of the kind that is wanted is not there.

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** What is there, as a list. */
export const present = <T>(value: T | null): T[] => (value === null ? [] : [value]);

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Every text in it, at whatever depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

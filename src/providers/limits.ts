// The limits of an account, as agents tell them.
import type { LimitWindow } from '../domain/core/limits.ts';
import { number, timeIn } from './values.ts';

/** `5h`, `week`, `3d`: what people call a window of so many minutes. */
export function windowName(minutes: number): string {
  if (minutes === 7 * 24 * 60) return 'week';
  return minutes % (24 * 60) === 0 ? `${minutes / (24 * 60)}d` : `${Math.round(minutes / 60)}h`;
}

/** Without a percentage there is nothing to tell. */
export function limitWindow(name: string | null, used: unknown, resetsAt: unknown): LimitWindow[] {
  const percentage = number(used);
  if (name === null || percentage === null) return [];
  return [{ name, used: percentage, resetsAt: timeIn(resetsAt) }];
}

// The limits in a few words, the same on every face.
import type { SessionView } from '../protocol/session.ts';

export type Told = Pick<SessionView, 'limits'>;

export interface MostUsed {
  readonly used: number;
  readonly resets: string | null;
}

/** Of all accounts, the window of which the least is left. What was reset since it was told is not known any more. */
export function mostUsed(sessions: Iterable<Told>, now: number): MostUsed | null {
  const newest = new Map<string, NonNullable<SessionView['limits']>>();
  for (const { limits } of sessions) {
    // An older daemon tells of none.
    if (!limits) continue;
    const key = limits.account ?? '';
    const known = newest.get(key);
    if (!known || known.told_at < limits.told_at) newest.set(key, limits);
  }
  let most: MostUsed | null = null;
  for (const { windows } of newest.values())
    for (const { used_percentage: used, resets_at: resets } of windows)
      if ((resets === null || Date.parse(resets) > now) && used > (most?.used ?? -1)) most = { used, resets };
  return most;
}

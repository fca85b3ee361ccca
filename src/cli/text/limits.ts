// The limits of accounts, where somebody should know of them now.
import type { LimitView } from '../../protocol/limits.ts';
import { directory } from './directory.ts';
import { oneLine } from './safe.ts';
import { shortClock } from './time.ts';

/** One line for the window of which the least is left; undefined: of none is little left. */
export function limitsLine(limits: readonly LimitView[], now: number): string | undefined {
  const [most] = [...limits].sort((a, b) => (b.used_percentage ?? 0) - (a.used_percentage ?? 0));
  if (!most) return undefined;
  const { account, window, used_percentage: used, resets_at: resets, reached_at: full } = most;
  return [
    `${directory(account)} has used ${Math.floor(used ?? 0)}% of its ${oneLine(window)} limit`,
    ...(full === null ? [] : [`all of it about ${shortClock(full, now)}`]),
    ...(resets === null ? [] : [`resets ${shortClock(resets, now)}`]),
  ].join(', ');
}

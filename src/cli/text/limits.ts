// The limits of accounts, in figures.
import { mostUsed, type Told } from '../../faces/limits.ts';
import type { LimitView } from '../../protocol/limits.ts';
import { oneLine } from './safe.ts';
import { ago, shortClock } from './time.ts';

export const limitHeading = ['ACCOUNT', 'AGENT', 'WINDOW', 'USED', 'RESETS', 'PACE', 'FULL', 'TOLD'];

export const noLimits = 'No agent has told of a limit. They do so with the first answer on a subscription.';

/** `account`: its directory, as whoever reads it writes directories. */
export function limitRow(limit: LimitView, account: string, now: number): string[] {
  const { used_percentage: used, resets_at: resets, points_per_hour: pace } = limit;
  return [
    account,
    limit.providers.map(oneLine).join(', '),
    oneLine(limit.window),
    used === null ? '?' : `${Math.floor(used)}%`,
    resets === null ? '?' : used === null ? 'has reset' : shortClock(resets, now),
    pace === null ? '' : `${pace}/h`,
    full(limit, now),
    ago(limit.told_at, now),
  ];
}

function full({ forecast, reached_at: at }: LimitView, now: number): string {
  if (forecast === 'reached') return 'now';
  if (forecast === 'not-before-reset') return 'not before it resets';
  return at === null ? '' : shortClock(at, now);
}

/** `limits 62 % · resets 14:00`; `isHigh`: there is not much left. */
export function limitsText(
  sessions: Iterable<Told>,
  now: number,
): { readonly text: string; readonly isHigh: boolean } | null {
  const most = mostUsed(sessions, now);
  if (!most) return null;
  const resets = most.resets === null ? '' : ` · resets ${shortClock(most.resets, now)}`;
  return { text: `limits ${Math.floor(most.used)} %${resets}`, isHigh: most.used >= 90 };
}

/** One line for the window of which the least is left; undefined: of none is little left. */
export function limitsLine(
  limits: readonly LimitView[],
  directory: (path: string) => string,
  now: number,
): string | undefined {
  const [most] = [...limits].sort((a, b) => (b.used_percentage ?? 0) - (a.used_percentage ?? 0));
  if (!most) return undefined;
  const { account, window, used_percentage: used, resets_at: resets, reached_at: full } = most;
  return [
    `${directory(account)} has used ${Math.floor(used ?? 0)}% of its ${oneLine(window)} limit`,
    ...(full === null ? [] : [`all of it about ${shortClock(full, now)}`]),
    ...(resets === null ? [] : [`resets ${shortClock(resets, now)}`]),
  ].join(', ');
}

// What stays known of the limits of an account, whichever of its sessions told it, and when it will be used up.
import { type Forecast, forecast, type Point, samplesOfPace } from '../context/forecast.ts';
import type { EventBody, EventNamed } from '../core/event.ts';
import { isNamed } from '../core/event.ts';

export interface LimitRecord {
  /** The directory of the account. */
  readonly account: string;
  readonly window: string;
  readonly used: number;
  readonly resetsAt: number | null;
  readonly at: number;
  /** Of the time that runs now, the oldest first. */
  readonly samples: readonly Point[];
}

export const tellsOfLimit = (body: EventBody): body is EventNamed<'limit told'> =>
  isNamed(body, 'limit told');

/** Less used than before, or reset later by more than clocks differ by: a new time has begun. */
const newReset = 5 * 60_000;

export function limitAfter(
  before: LimitRecord | undefined,
  { account, window, used, resetsAt }: EventNamed<'limit told'>,
  at: number,
): LimitRecord {
  const goesOn =
    before !== undefined &&
    used >= before.used &&
    Math.abs((resetsAt ?? 0) - (before.resetsAt ?? 0)) <= newReset;
  // Another session of the account may tell the same again, or what was true a moment ago.
  if (before && used < before.used && resetsAt === before.resetsAt) return before;
  const samples = [...(goesOn ? before.samples : []), { at, percentage: used }].slice(-samplesOfPace);
  return { account, window, used, resetsAt, at, samples };
}

/** Null: it was reset since, and nobody has told how much is used now. */
export const usedNow = ({ used, resetsAt }: LimitRecord, now: number): number | null =>
  resetsAt !== null && now >= resetsAt ? null : used;

export type Reached =
  | Forecast
  /** It resets before that. */
  | { readonly is: 'not-before-reset'; readonly pace: number };

export function reachedAt(record: LimitRecord, now: number): Reached {
  const told = forecast(record.samples, usedNow(record, now), 100);
  if (told.is !== 'expected' || record.resetsAt === null) return told;
  return record.at + told.in >= record.resetsAt ? { is: 'not-before-reset', pace: told.pace } : told;
}

// Hours of the day in which nobody wants to be told, by the clock on the wall of this machine.
import type { QuietHours } from '../ports/notifications.ts';

/** When they end; null: it is not one of them. */
export function quietUntil(hours: QuietHours | null, now: number): number | null {
  if (!hours || hours.from === hours.to) return null;
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  const overnight = hours.from > hours.to;
  const inside = overnight
    ? minute >= hours.from || minute < hours.to
    : minute >= hours.from && minute < hours.to;
  if (!inside) return null;
  const tomorrow = overnight && minute >= hours.from;
  // By the calendar, so that a night with a change of the clock ends when the clock says so.
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate() + (tomorrow ? 1 : 0),
    0,
    hours.to,
  ).getTime();
}

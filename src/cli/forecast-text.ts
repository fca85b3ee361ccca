// When the critical mark will be reached, in words.
import type { CurveView } from '../protocol/context.ts';
import { oneLine } from './format/text.ts';

export function forecastText({ forecast, marks, phase }: CurveView): string {
  const mark = `critical mark (${marks.critical} %)`;
  if (phase === 'exited' || phase === 'lost') return `No forecast for the ${mark}: the session is ${phase}.`;
  if (forecast.is === 'reached') return `The context has reached the ${mark}.`;
  if (forecast.is === 'unknown' || forecast.in_seconds === null)
    return `No forecast for the ${mark}: ${oneLine(forecast.why ?? 'no data')}.`;
  const time = about(forecast.in_seconds);
  const pace = `${forecast.points_per_hour} points an hour`;
  // What does not work does not grow.
  return phase === 'working'
    ? `Critical mark (${marks.critical} %) in about ${time} at this pace (${pace}).`
    : `Critical mark (${marks.critical} %) in about ${time} at its last pace (${pace}); it is ${phase} now.`;
}

/** No more exact than a forecast is. */
export function about(seconds: number): string {
  const minutes = seconds / 60;
  if (minutes < 1.5) return 'a minute';
  if (minutes < 10) return `${Math.round(minutes)} min`;
  if (minutes < 100) return `${Math.round(minutes / 5) * 5} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

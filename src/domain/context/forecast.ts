// When a context will have reached a mark, if it goes on as it did. The pace is the median of the slopes between all
// pairs of the last samples of the cycle (Theil and Sen): one big file that was read, or one long pause, does not move it.

export interface Point {
  readonly at: number;
  readonly percentage: number;
}

export type Forecast =
  /** In so many ms, at so many points an hour. */
  | { readonly is: 'expected'; readonly in: number; readonly pace: number }
  | { readonly is: 'reached' }
  | { readonly is: 'unknown'; readonly why: string };

/** Older samples would tell of a pace that is long over. */
export const samplesOfPace = 20;
const fewest = 3;
/** What came in faster was one big prompt, which says nothing of the pace. */
const shortest = 60_000;
const hour = 3_600_000;

/** `samples`: those of the present cycle, the oldest first. `now`: how full it is. */
export function forecast(samples: readonly Point[], now: number | null, mark: number): Forecast {
  if (now === null) return unknown('the usage is unknown');
  if (now >= mark) return { is: 'reached' };
  const last = samples.slice(-samplesOfPace);
  const [first, end] = [last[0], last.at(-1)];
  if (!first || !end || last.length < fewest) return unknown(`needs ${fewest} samples, has ${last.length}`);
  if (end.at - first.at < shortest) return unknown('its samples cover less than a minute');
  const pace = medianSlope(last);
  if (pace <= 0) return unknown('the context is not growing');
  return { is: 'expected', in: (mark - now) / pace, pace: pace * hour };
}

function medianSlope(points: readonly Point[]): number {
  const slopes = points
    .flatMap((a, i) =>
      points.slice(i + 1).map((b) => (b.at > a.at ? (b.percentage - a.percentage) / (b.at - a.at) : null)),
    )
    .filter((slope) => slope !== null)
    .sort((a, b) => a - b);
  const half = Math.floor(slopes.length / 2);
  const upper = slopes[half] ?? 0;
  return slopes.length % 2 ? upper : ((slopes[half - 1] ?? 0) + upper) / 2;
}

const unknown = (why: string): Forecast => ({ is: 'unknown', why });

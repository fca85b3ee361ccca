// The curve of a context as paths in a square of 100 by 100, of which the upper edge is a full context.
import type { Range } from '../cli/text/context.ts';
import type { CurveView } from '../protocol/context.ts';

export const placeOn = (at: number, { from, to }: Range): number =>
  to === from ? 100 : Math.round(((at - from) / (to - from)) * 10_000) / 100;

/** A path for each context: between two of them there is nothing. It holds its level until the next sample. */
export function curvePaths(samples: CurveView['samples'], range: Range): string[] {
  const paths: string[] = [];
  let context: number | null = null;
  for (const sample of samples) {
    const [x, y] = [placeOn(Date.parse(sample.at), range), 100 - sample.percentage];
    if (sample.context === context) paths[paths.length - 1] += `H${x}V${y}`;
    else paths.push(`M${x} ${y}`);
    context = sample.context;
  }
  // The present one goes on to the right edge.
  if (paths.length > 0) paths[paths.length - 1] += 'H100';
  return paths;
}

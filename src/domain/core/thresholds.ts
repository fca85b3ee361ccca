// When a reminder comes: two thresholds in seconds, checked wherever somebody gives them.
import type { Thresholds } from './names.ts';
import { invalid, type Refusal } from './refusal.ts';

/** Longer than this is a mistake in the unit. */
export const longestDelay = 30 * 24 * 3_600;

export function checkThresholds({ soft, hard }: Thresholds): Refusal | undefined {
  for (const [name, seconds] of [
    ['soft', soft],
    ['hard', hard],
  ] as const) {
    if (!Number.isFinite(seconds) || seconds < 1 || seconds > longestDelay) {
      return invalid(`The ${name} threshold must be 1 to ${longestDelay} seconds, not ${seconds}.`);
    }
  }
  if (hard > soft) return undefined;
  return invalid(`The hard threshold (${hard} s) must come after the soft one (${soft} s).`);
}

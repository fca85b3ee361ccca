// Usage: samples of how full the context is. They may come late, so only newer ones of the same cycle count.

import type { Change } from '../core/change.ts';
import type { Usage } from '../core/session.ts';
import { isUnderWay } from '../core/session.ts';
import { takeStep } from '../turns/turns.ts';
import { compactionEnded } from './compaction.ts';
import { restartCycle } from './cycle.ts';
import { marksReached } from './monitor.ts';

export function sampled(c: Change, sample: Usage): void {
  const { usage, compaction, cycle } = c.session;
  if (sample.at < Math.max(usage?.at ?? 0, cycle.since)) return;
  const { percentage } = sample;
  if (compaction) {
    // A sample that shows no less may be an old one.
    if (isEmptier(percentage, usage)) compactionEnded(c, 'the context is emptier');
    if (percentage !== null) c.update({ usage: sample });
    return;
  }
  // Before the first answer of a context nobody knows how full it is.
  if (percentage === null) return;
  c.update({ usage: sample });
  // The agent has answered something.
  takeStep(c);
  marksReached(c, { ...sample, percentage });
}

/** The context is empty again, and nobody knows how full it is until its next sample. */
export function usageReset(c: Change): void {
  c.update({ usage: null });
  // A handoff that is not done yet may still fail: the marks are armed again when it is.
  if (!isUnderWay(c.session.handoff)) restartCycle(c, 'the context was emptied');
}

function isEmptier(percentage: number | null, before: Usage | null): boolean {
  if (before === null || before.percentage === null) return false;
  return percentage === null || percentage < before.percentage;
}

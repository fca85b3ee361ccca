// A cycle is what lies between two compactions, clears or handoffs; no sample ends one. The history keeps a thinned curve.
import type { Change } from '../core/change.ts';
import { newCycle } from '../core/parts.ts';
import type { Usage } from '../core/session.ts';
import { takeBack } from '../delivery/queue.ts';

/** The marks are armed again, and what was said of the old cycle is taken back where it still waits. */
export function restartCycle(c: Change, why: string): void {
  const { cycle } = c.session;
  if (cycle.sent) takeBack(c, [cycle.sent], why);
  c.update({ cycle: newCycle(c.now) });
}

type Sample = Pick<Usage, 'tokens' | 'costUsd'> & { readonly percentage: number };

/** The history has a sample for each whole point that the context has grown or shrunk by, and the last of a cycle. */
export function keep(c: Change, sample: Sample): void {
  const { kept } = c.session.cycle;
  if (kept === null || Math.floor(kept) !== Math.floor(sample.percentage)) write(c, sample);
}

/** The context is about to be emptied, or its agent is gone: how full it was in the end is worth a sample. */
export function keepLast(c: Change): void {
  const { usage, cycle } = c.session;
  if (cycle.kept === null || !usage || usage.percentage === null || usage.percentage === cycle.kept) return;
  write(c, { ...usage, percentage: usage.percentage });
}

function write(c: Change, { percentage, tokens, costUsd }: Sample): void {
  const { cycle, context } = c.session;
  c.update({ cycle: { ...cycle, kept: percentage } });
  c.emit({ type: 'usage', step: 'sampled', context: context.number, percentage, tokens, costUsd });
}

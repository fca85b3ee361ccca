// Usage: samples of how full the context is. They may come late, so only newer ones count.
import { compactionEnded } from './compaction.ts';
import type { Draft } from './draft.ts';
import type { Usage } from './session.ts';

export function sampled(d: Draft, sample: Usage): void {
  const { usage, compaction } = d.session;
  if (usage && usage.at > sample.at) return;
  d.update({ usage: sample });
  // What is as full as before may be a sample from before.
  if (compaction && isEmptier(sample, usage)) compactionEnded(d, 'the context is emptier than before');
}

export function usageReset(d: Draft): void {
  d.update({ usage: null });
}

function isEmptier(sample: Usage, before: Usage | null): boolean {
  if (sample.percentage === null) return before !== null && before.percentage !== null;
  return before !== null && before.percentage !== null && sample.percentage < before.percentage;
}

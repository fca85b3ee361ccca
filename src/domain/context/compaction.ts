// Compaction: from its beginning until anything proves that it is over. It can never stick.

import type { Draft } from '../core/change.ts';
import { isAlive } from '../core/session.ts';
import { tellCompaction } from '../notices/notices.ts';
import { restartWindow } from '../promises/reminders.ts';
import { keepLast, restartCycle } from './monitor.ts';

/** The longest that a compaction is believed in without any sign of its end. */
export const compactionBound = 30 * 60_000;

export function compactionBegan(d: Draft, trigger: string): void {
  keepLast(d);
  // Also when nothing follows: the agent was about to lose what it was told.
  restartCycle(d, 'the context is compacted');
  if (d.session.compaction || !isAlive(d.session)) return;
  d.update({ compaction: { since: d.now, trigger } });
  endOwnCommand(d);
  d.emit({ type: 'compaction-began', trigger });
  tellCompaction(d);
}

/** The command that asked for it was taken: nothing need wait for a proof of that any more. */
function endOwnCommand(d: Draft): void {
  const { attempt } = d.session;
  const isOurs =
    attempt?.command === 'slash' && attempt.step === 'typed' && /^\/compact\b/.test(attempt.text);
  if (isOurs) d.update({ attempt: null });
}

export function compactionEnded(d: Draft, why: string, overdue = false): void {
  if (!d.session.compaction) return;
  // A sample from before is of the old cycle, however late it comes.
  d.update({ compaction: null, usage: null, cycle: { ...d.session.cycle, since: d.now } });
  d.emit({ type: 'compaction-ended', why, overdue });
  restartWindow(d, 'a compaction is over');
}

export function compactionDue(d: Draft): void {
  const { compaction } = d.session;
  if (compaction && d.now >= compaction.since + compactionBound) {
    compactionEnded(d, `no sign of its end came within ${compactionBound / 60_000} minutes`, true);
  }
}

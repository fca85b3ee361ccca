// Compaction: from its beginning until anything proves that it is over. It can never stick.

import type { Change } from '../core/change.ts';
import type { Evidence } from '../core/names.ts';
import { isAlive } from '../core/session.ts';
import { tellCompaction } from '../notices/notices.ts';
import { restartWindow } from '../promises/reminders.ts';
import { keepLast, restartCycle } from './cycle.ts';

/** The longest that a compaction is believed in without any sign of its end. */
export const compactionBound = 30 * 60_000;

export function compactionBegan(c: Change, trigger: string, evidence: Evidence): void {
  keepLast(c);
  // Also when nothing follows: the agent was about to lose what it was told.
  restartCycle(c, 'the context is compacted');
  if (c.session.compaction || !isAlive(c.session)) return;
  c.update({ compaction: { since: c.now, trigger } });
  endOwnCommand(c);
  c.emit({ type: 'compaction', step: 'began', trigger, evidence });
  tellCompaction(c);
}

/** The command that asked for it was taken: nothing need wait for a proof of that any more. */
function endOwnCommand(c: Change): void {
  const { attempt } = c.session;
  const [command] = attempt?.text.split(/\s/, 1) ?? [];
  const isOurs = attempt?.types.is === 'slash' && command === c.manners.commandTo.compact;
  if (isOurs && attempt.step === 'typed') c.update({ attempt: null });
}

export function compactionEnded(c: Change, why: string, overdue = false): void {
  if (!c.session.compaction) return;
  // A sample from before is of the old cycle, however late it comes.
  c.update({ compaction: null, usage: null, cycle: { ...c.session.cycle, since: c.now } });
  c.emit({ type: 'compaction', step: 'ended', why, overdue });
  restartWindow(c, 'the compaction ended');
}

export function compactionDue(c: Change): void {
  const { compaction } = c.session;
  if (compaction && c.now >= compaction.since + compactionBound) {
    compactionEnded(c, `no sign of its end within ${compactionBound / 60_000} minutes`, true);
  }
}

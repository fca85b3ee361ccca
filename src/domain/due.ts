// When a session next wants to be asked what is due: computed from its state, so there is no second place to forget.
import { compactionBound } from './context/compaction.ts';
import { handoffDueAt } from './context/handoff.ts';
import { lookAtOf } from './core/parts.ts';
import type { Session } from './core/session.ts';
import { standstillDueAt } from './limits/standstill.ts';
import { oneShotsDueAt } from './promises/one-shots.ts';
import { reminderDueAt } from './promises/reminders.ts';

export function dueAt(session: Session): number | null {
  const times = [
    lookAtOf(session.attempt),
    lookAtOf(session.turn?.interrupt),
    session.clear?.until,
    session.turn?.halt?.until,
    // A look that is under way is waited for.
    session.look ? null : session.silence?.lookAt,
    session.alarms[0]?.at,
    session.question?.overdueAt,
    handoffDueAt(session),
    reminderDueAt(session),
    standstillDueAt(session),
    oneShotsDueAt(session),
    ...session.watchers.map(({ until }) => until),
    ...(session.lock?.waiters ?? []).map(({ until }) => until),
    session.compaction && session.compaction.since + compactionBound,
  ].filter((time) => typeof time === 'number');
  return times.length ? Math.min(...times) : null;
}

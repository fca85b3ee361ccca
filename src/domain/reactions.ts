// Who reacts to what another room has done, and in which order. Rooms call downwards only; whatever goes up comes by here.
import { compactionEnded } from './context/compaction.ts';
import { keepLast } from './context/cycle.ts';
import {
  cancel as cancelHandoff,
  contextLost,
  handoffAccepted,
  handoffAtTurnEnd,
  handoffCleared,
  handoffDropped,
  handoffNotCleared,
  handoffTyped,
} from './context/handoff.ts';
import { usageReset } from './context/usage.ts';
import type { Change, React } from './core/change.ts';
import type { Happening } from './core/happening.ts';
import { isUnderWay } from './core/session.ts';
import { forgetStandstill, resumeAccepted, resumeDropped, standStill } from './limits/standstill.ts';
import { release } from './promises/locks.ts';
import { endReminder, heeded, reminderAtTurnEnd, skipTime, startReminder } from './promises/reminders.ts';
import { failClear } from './turns/clear.ts';
import { dialogSeen } from './turns/question.ts';

type Of<Is extends Happening['is']> = Extract<Happening, { is: Is }>;

const reactions: { readonly [Is in Happening['is']]: (c: Change, happening: Of<Is>) => void } = {
  typed: (c, { messages }) => handoffTyped(c, messages),
  accepted(c, { message: { id, remind } }) {
    handoffAccepted(c, id);
    resumeAccepted(c, id);
    if (remind) startReminder(c, remind);
  },
  dropped(c, { message, why }) {
    handoffDropped(c, message, why);
    resumeDropped(c, message, why);
  },
  'dialog-seen': (c, { text }) => dialogSeen(c, text),
  unblocked: (c, { since }) => skipTime(c, since),
  'turn-ended'(c, { how, evidence }) {
    handoffAtTurnEnd(c, how);
    standStill(c, how, evidence);
  },
  'messages-ended': (c, { how }) => reminderAtTurnEnd(c, how),
  'no-compaction': (c, { why }) => compactionEnded(c, why),
  'clear-not-typed': (c, { why }) => failClear(c, why),
  cleared: (c) => handoffCleared(c),
  'clear-failed': (c, { why }) => handoffNotCleared(c, why),
  'context-ending'(c) {
    keepLast(c);
    contextLost(c);
  },
  'context-ended'(c) {
    compactionEnded(c, 'the context was cleared');
    forgetStandstill(c, 'the context was cleared');
    // The reminder of one that is handed over lives on in the next.
    if (!isUnderWay(c.session.handoff)) endReminder(c, 'the context was cleared');
  },
  'context-began': (c) => usageReset(c),
  reported: (c) => heeded(c),
  killed(c) {
    cancelHandoff(c, 'the session was killed');
    endReminder(c, 'the session was killed');
  },
  'agent-ending': (c) => keepLast(c),
  'agent-gone'(c) {
    cancelHandoff(c, 'the agent is gone');
    compactionEnded(c, 'the agent is gone');
    forgetStandstill(c, 'the agent is gone');
  },
  'session-ended'(c, { how }) {
    endReminder(c, 'the agent is gone');
    release(c, null, how);
  },
};

export const react: React = (c, happening) => reactions[happening.is](c, happening as never);

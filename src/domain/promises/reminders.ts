// The reminder: asks an agent for its status, softly at first and then by an interrupt, again and again, until the turn
// that it was asked for is over. Whatever it has put into the queue is taken back when its reason is gone.

import { holdOf } from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import type { Ending } from '../core/ending.ts';
import type { Refusal } from '../core/input.ts';
import { isStandingStill } from '../core/limits.ts';
import { isOutstanding } from '../core/message.ts';
import type { MessageId, Mode, Thresholds } from '../core/names.ts';
import type { Reminder } from '../core/parts.ts';
import { notRunning } from '../core/refusal.ts';
import { isAlive, isUnderWay, type Session } from '../core/session.ts';
import { checkThresholds } from '../core/thresholds.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { takeBack } from '../delivery/queue.ts';
import { tellBlockedInsteadOfReminding, tellSilent } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';

/** After so many hard ones without a status, the parent hears of it. */
const tooSilent = 2;
/** Nobody tells when background tasks end. */
const backgroundBound = 30 * 60_000;

const canReport = (session: Session): boolean => isAlive(session) && session.process.state !== 'ending';

export function remind(c: Change, thresholds: Thresholds): Refusal | undefined {
  const bad = checkThresholds(thresholds);
  if (bad) return bad;
  if (!canReport(c.session)) return notRunning(c.session);
  startReminder(c, thresholds);
  return undefined;
}

/** A session has one, and the newest wins. A message may be heard to be accepted when its agent is already gone. */
export function startReminder(c: Change, { soft, hard }: Thresholds): void {
  if (!canReport(c.session)) return;
  endReminder(c, 'a newer one replaces it');
  c.update({ reminder: { soft, hard, since: c.now, next: 'soft', unheeded: 0, sent: null, until: null } });
  c.emit({ type: 'reminder', step: 'started', soft, hard });
}

export function endReminder(c: Change, why: string): void {
  const { reminder } = c.session;
  if (!reminder) return;
  takeBackSent(c, reminder, why);
  c.update({ reminder: null });
  c.emit({ type: 'reminder', step: 'ended', why });
}

function takeBackSent(c: Change, { sent }: Reminder, why: string): void {
  if (sent !== null) takeBack(c, [sent], why);
}

/** A new window: the agent has said what it does, or could not have said it. */
export function restartWindow(c: Change, why: string): void {
  const { reminder } = c.session;
  if (!reminder) return;
  takeBackSent(c, reminder, why);
  c.update({ reminder: { ...reminder, since: c.now, next: 'soft', sent: null } });
  c.emit({ type: 'reminder', step: 'restarted', why });
}

export function heeded(c: Change): void {
  restartWindow(c, 'the agent has reported');
  if (c.session.reminder) c.update({ reminder: { ...c.session.reminder, unheeded: 0 } });
}

/** The time in which a human kept the agent waiting does not count. */
export function skipTime(c: Change, from: number): void {
  const { reminder } = c.session;
  if (!reminder) return;
  const since = reminder.since + c.now - Math.max(from, reminder.since);
  const next = reminder.sent === null ? 'soft' : reminder.next;
  c.update({ reminder: { ...reminder, since, next } });
}

/** A turn is over: unless another one runs, or what we gave the agent goes on in one, nobody is left to report. */
export function reminderAtTurnEnd(c: Change, how: Ending): void {
  const stillRuns = how.end === 'ended' ? how.stillRuns : 0;
  const { reminder, turn, enqueued, carried } = c.session;
  if (!reminder || turn || enqueued.length > 0 || carried.length > 0) return;
  if (stillRuns === 0) endReminder(c, 'the turn ended');
  else if (reminder.until === null) c.update({ reminder: { ...reminder, until: c.now + backgroundBound } });
}

/** When it next has something to do. Nobody is reminded while the context is compacted. */
export function reminderDueAt(session: Session): number | null {
  const { reminder, compaction, question } = session;
  if (!reminder) return null;
  const { since, next, until } = reminder;
  const at = since + reminder[next] * 1_000;
  const paused =
    compaction !== null ||
    isUnderWay(session.handoff) ||
    isStandingStill(session) ||
    holdOf(session) !== null ||
    (question !== null && next === 'hard');
  const times = [until, paused ? null : at].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Called after every input. */
export function fireReminder(c: Change): void {
  const { reminder } = c.session;
  const at = reminderDueAt(c.session);
  if (!reminder || at === null || c.now < at) return;
  if (reminder.until !== null && c.now >= reminder.until) {
    endReminder(c, 'its turn ended, and its background tasks took too long');
  } else if (c.session.question) {
    c.update({ reminder: { ...reminder, next: 'hard' } });
    tellBlockedInsteadOfReminding(c, c.session.question.text);
  } else if (c.now >= reminder.since + reminder.hard * 1_000) fireHard(c, reminder);
  else fireSoft(c, reminder);
}

/** One that still waits (the pane forbids it, say) is enough. */
function fireSoft(c: Change, reminder: Reminder): void {
  const last = reminder.sent === null ? undefined : c.message(reminder.sent);
  const sent = last && isOutstanding(last) ? last.id : put(c, 'soft', 'important', wording.softReminder);
  c.update({ reminder: { ...reminder, next: 'hard', sent } });
}

/** It was asked urgently and said nothing, so often that its parent was told. */
export const isSilent = ({ reminder }: Session): boolean => (reminder?.unheeded ?? 0) >= tooSilent;

function fireHard(c: Change, reminder: Reminder): void {
  takeBackSent(c, reminder, 'an urgent reminder replaces it');
  const sent = put(c, 'hard', 'urgent', wording.hardReminder);
  const unheeded = reminder.unheeded + 1;
  c.update({ reminder: { ...reminder, since: c.now, next: 'soft', unheeded, sent } });
  if (unheeded !== tooSilent) return;
  c.emit({ type: 'reminder', step: 'unheeded', times: unheeded });
  tellSilent(c, tooSilent);
}

function put(c: Change, kind: 'soft' | 'hard', mode: Mode, text: string): MessageId {
  const message = enqueueOwn(c, { mode, text });
  c.emit({ type: 'reminder', step: 'sent', kind, message });
  return message;
}

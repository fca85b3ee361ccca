// The reminder: asks an agent for its status, softly at first and then by an interrupt, again and again, until the turn
// that it was asked for is over. Whatever it has put into the queue is taken back when its reason is gone.

import { isUnderWay } from '../context/handoff.ts';
import type { Draft } from '../core/change.ts';
import type { Ending } from '../core/ending.ts';
import type { Refusal } from '../core/input.ts';
import { isOutstanding } from '../core/message.ts';
import type { MessageId, Mode, Thresholds } from '../core/names.ts';
import type { Reminder } from '../core/parts.ts';
import { isAlive, type Session } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { takeBack } from '../delivery/queue.ts';
import { tellBlockedInsteadOfReminding, tellSilent } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';

/** After so many hard ones without a status, the parent hears of it. */
const tooSilent = 2;
/** Nobody tells when background tasks have ended without a word. */
const backgroundBound = 30 * 60_000;
/** Longer than this is a mistake in the unit. */
export const longestDelay = 30 * 24 * 3_600;

export function checkThresholds({ soft, hard }: Thresholds): Refusal | undefined {
  for (const [name, seconds] of [
    ['soft', soft],
    ['hard', hard],
  ] as const) {
    if (!Number.isFinite(seconds) || seconds < 1 || seconds > longestDelay) {
      return refused(`The ${name} threshold must be 1 to ${longestDelay} seconds, and ${seconds} is not.`);
    }
  }
  if (hard > soft) return undefined;
  return refused(`The hard threshold (${hard} s) must come after the soft one (${soft} s).`);
}

const canReport = (session: Session): boolean => isAlive(session) && session.process.state !== 'ending';

const refused = (message: string): Refusal => ({ code: 'invalid', message });

export function remind(d: Draft, thresholds: Thresholds): Refusal | undefined {
  const bad = checkThresholds(thresholds);
  if (bad) return bad;
  if (!canReport(d.session))
    return { code: 'conflict', message: `The session is not running, so there is nobody to remind.` };
  startReminder(d, thresholds);
  return undefined;
}

/** There is one for a session, and the newest wins. That a message was accepted may be heard when the agent is gone. */
export function startReminder(d: Draft, { soft, hard }: Thresholds): void {
  if (!canReport(d.session)) return;
  endReminder(d, 'a newer one takes its place');
  d.update({ reminder: { soft, hard, since: d.now, softened: false, unheeded: 0, sent: [], until: null } });
  d.emit({ type: 'reminder-started', soft, hard });
}

export function endReminder(d: Draft, why: string): void {
  const { reminder } = d.session;
  if (!reminder) return;
  takeBack(d, reminder.sent, why);
  d.update({ reminder: null });
  d.emit({ type: 'reminder-ended', why });
}

/** A new window: the agent has said what it does, or could not have said it. */
export function restartWindow(d: Draft, why: string): void {
  const { reminder } = d.session;
  if (!reminder) return;
  takeBack(d, reminder.sent, why);
  d.update({ reminder: { ...reminder, since: d.now, softened: false, sent: [] } });
  d.emit({ type: 'reminder-restarted', why });
}

export function heeded(d: Draft): void {
  restartWindow(d, 'the agent has reported');
  if (d.session.reminder) d.update({ reminder: { ...d.session.reminder, unheeded: 0 } });
}

/** The time in which a human kept the agent waiting does not count. */
export function skipTime(d: Draft, from: number): void {
  const { reminder } = d.session;
  if (!reminder) return;
  const since = reminder.since + d.now - Math.max(from, reminder.since);
  d.update({ reminder: { ...reminder, since, softened: reminder.softened && reminder.sent.length > 0 } });
}

/** A turn is over: unless another one runs, or what we gave the agent goes on in one, nobody is left to report. */
export function reminderAtTurnEnd(d: Draft, how: Ending): void {
  const stillRuns = how.end === 'ended' ? how.stillRuns : 0;
  const { reminder, turn, enqueued, carried } = d.session;
  if (!reminder || turn || enqueued.length > 0 || carried.length > 0) return;
  if (stillRuns === 0) endReminder(d, 'the turn has ended');
  else if (reminder.until === null) d.update({ reminder: { ...reminder, until: d.now + backgroundBound } });
}

/** When it next has something to do. Nobody is reminded while the context is compacted. */
export function reminderDueAt(session: Session): number | null {
  const { reminder, compaction, question } = session;
  if (!reminder) return null;
  const { since, soft, hard, softened, until } = reminder;
  const next = since + (softened ? hard : soft) * 1_000;
  const paused = compaction !== null || isUnderWay(session.handoff) || (question !== null && softened);
  const times = [until, paused ? null : next].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Called after every input. */
export function fireReminder(d: Draft): void {
  const { reminder } = d.session;
  const at = reminderDueAt(d.session);
  if (!reminder || at === null || d.now < at) return;
  if (reminder.until !== null && d.now >= reminder.until) {
    endReminder(d, 'its turn is over, and its background tasks have had their time');
  } else if (d.session.question) {
    d.update({ reminder: { ...reminder, softened: true } });
    tellBlockedInsteadOfReminding(d, d.session.question.text);
  } else if (d.now >= reminder.since + reminder.hard * 1_000) fireHard(d, reminder);
  else fireSoft(d, reminder);
}

/** One that still waits (the pane forbids it, say) is enough. */
function fireSoft(d: Draft, reminder: Reminder): void {
  const waits = reminder.sent.flatMap((id) => d.message(id) ?? []).some(isOutstanding);
  const sent = waits ? reminder.sent : [put(d, 'soft', 'important', wording.softReminder)];
  d.update({ reminder: { ...reminder, softened: true, sent } });
}

function fireHard(d: Draft, reminder: Reminder): void {
  takeBack(d, reminder.sent, 'a hard reminder takes its place');
  const hard = put(d, 'hard', 'urgent', wording.hardReminder);
  const unheeded = reminder.unheeded + 1;
  d.update({ reminder: { ...reminder, since: d.now, softened: false, unheeded, sent: [hard] } });
  if (unheeded === tooSilent) tellSilent(d, tooSilent);
}

function put(d: Draft, kind: 'soft' | 'hard', mode: Mode, text: string): MessageId {
  const message = enqueueOwn(d, { mode, text });
  d.emit({ type: 'reminder-sent', kind, message, reminder: null });
  return message;
}

// A session whose agent has used up its limit stands still until the reset, and then goes on: by itself, if its agent
// does so, or by one message of ours. What the cut turn was asked for goes on in the turn that follows. Each standstill is
// known by the turn that it cut, and has its message for good, so there is never a second one.
import type { Change } from '../core/change.ts';
import { type Ending, failed } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import { isStandingStill, resetOf } from '../core/limits.ts';
import { isWaiting } from '../core/message.ts';
import type { Evidence, MessageId } from '../core/names.ts';
import { isUnderWay, type Session } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { pick, takeBack } from '../delivery/queue.ts';
import { tellStandstill } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';
import { releaseCarried } from '../turns/turns.ts';

/** The agent's own clock, and its server's, may run a little ahead; and it may go on by itself. */
const grace = 20_000;

/** A turn has ended; perhaps because nothing is left of the limit. */
export function standStill(c: Change, how: Ending, evidence: Evidence): void {
  if (how.end !== 'failed' || !how.limit || isUnderWay(c.session.handoff)) return;
  const { lastTurn } = c.session;
  const since = evidence.at;
  const until = laterThan(since, how.limit.resetsAt ?? resetOf(c.session.limits));
  const text = how.lastWords ?? 'the usage limit is reached';
  c.update({ standstill: { turn: lastTurn?.id ?? null, since, text, until, resume: null } });
  c.emit({ type: 'limit', step: 'reached', text, until, evidence });
  tellStandstill(c, text, until);
}

/** The end of a turn is told twice, and not each time with the same details. */
export function limitTold(c: Change, fact: Extract<Fact, { is: 'turn-ended' }>): void {
  if (fact.end === 'failed' && fact.limit && c.session.standstill?.turn === fact.turnId)
    learnReset(c, fact.limit.resetsAt);
}

/** It was not known when the limit resets; now it may be. */
export function learnReset(c: Change, told: number | null): void {
  const { standstill, limits } = c.session;
  if (!standstill || standstill.until !== null || standstill.resume !== null) return;
  const until = laterThan(standstill.since, told ?? resetOf(limits));
  if (until !== null) c.update({ standstill: { ...standstill, until } });
}

/**
 * A reset before the error did not help, and tells nothing: whoever goes by it would try for ever. One after the error
 * counts, also when we hear of it late.
 */
const laterThan = (error: number, time: number | null): number | null =>
  time !== null && time > error ? time : null;

/** When it is to go on. While something else is in the way, that is waited for. */
export function standstillDueAt(session: Session): number | null {
  const { standstill, process, question, compaction } = session;
  if (!standstill || standstill.until === null || standstill.resume !== null) return null;
  return process.state !== 'running' || question || compaction ? null : standstill.until + grace;
}

/** Called after every input. */
export function pursueStandstill(c: Change): void {
  const { standstill, turn, clear, carried } = c.session;
  if (!standstill) return;
  if (turn) {
    // Its agent, or a human, was faster. The agent has all that it was asked for before.
    c.update({ turn: { ...turn, messages: [...carried, ...turn.messages] }, carried: [] });
    over(c, 'a turn began');
  } else if (clear) over(c, 'the session is being cleared');
  else if (
    isStandingStill(c.session) &&
    [...pick(c, ['urgent'])].some(({ from }) => from.kind === 'person')
  ) {
    over(c, 'the user wrote urgently');
    releaseCarried(c, failed(standstill.text));
  } else goOn(c);
}

function goOn(c: Change): void {
  const { standstill } = c.session;
  const at = standstillDueAt(c.session);
  if (!standstill || at === null || c.now < at) return;
  if (!c.settings.resumeAfterLimit) {
    over(c, 'the limit has reset');
    releaseCarried(c, failed(standstill.text));
    return;
  }
  const resume = enqueueOwn(c, { mode: 'urgent', text: wording.limitReset });
  c.update({ standstill: { ...standstill, resume } });
  c.emit({ type: 'limit', step: 'resumed', message: resume });
  c.announce({ is: 'unblocked', since: standstill.since });
}

/** The agent has the message by which it goes on. */
export function resumeAccepted(c: Change, message: MessageId): void {
  if (c.session.standstill?.resume === message) over(c, 'the agent goes on');
}

export function resumeDropped(c: Change, message: MessageId, why: string): void {
  const { standstill } = c.session;
  if (standstill?.resume !== message) return;
  over(c, why);
  releaseCarried(c, failed(standstill.text));
}

/** Its agent or its context is gone, and the standstill with it. */
export function forgetStandstill(c: Change, why: string): void {
  if (c.session.standstill) over(c, why);
}

function over(c: Change, why: string): void {
  const { standstill } = c.session;
  if (!standstill) return;
  const wasStanding = isStandingStill(c.session);
  c.update({ standstill: null });
  c.emit({ type: 'limit', step: 'over', why });
  if (wasStanding) c.announce({ is: 'unblocked', since: standstill.since });
  const { resume } = standstill;
  const message = resume === null ? undefined : c.message(resume);
  if (message && (isWaiting(message) || message.state.is === 'typed')) takeBack(c, [message.id], why);
}

// When what waits may go. Several waiting messages go as one prompt.
import { holdOf } from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import { isReturned } from '../core/message.ts';
import { promptFor } from '../core/parts.ts';
import { type Phase, phaseOf, takesText } from '../core/session.ts';
import { beginAttempt } from '../delivery/attempt.ts';
import { holdMessages } from '../delivery/outcome.ts';
import { pick } from '../delivery/queue.ts';
import { pursueClear } from './clear.ts';
import { pursueHalt } from './halt.ts';
import { beginInterrupt } from './interrupt.ts';
import { releaseCarried } from './turns.ts';

/** Called after every input. */
export function deliver(c: Change): void {
  const { attempt, takeover, process, turn } = c.session;
  if (attempt || takeover || turn?.interrupt || process.state !== 'running') return;
  if (c.session.clear) {
    pursueClear(c);
    return;
  }
  pursueHalt(c);
  if (c.session.turn?.halt) return;
  const phase = phaseOf(c.session);
  const next = promptFor(c.session.handoff);
  if (next) {
    const prompt = c.message(next);
    if (phase === 'rotating' && prompt) beginAttempt(c, [prompt]);
    return;
  }
  const hold = holdOf(c.session);
  if (hold) holdBack(c, phase, hold.why);
  else if (phase === 'idle') deliverIdle(c);
  else if (phase === 'working' && turn) deliverMidTurn(c);
  else if (phase === 'compacting') deliverCompacting(c);
}

/** What would go now is held. */
function holdBack(c: Change, phase: Phase, why: string): void {
  if (c.session.question) return;
  if (phase === 'blocked') holdMessages(c, [...pick(c, ['urgent', 'important', 'sequential'])], why);
  else if (phase === 'working') holdMessages(c, [...pick(c, ['urgent', 'important'])], why);
}

function deliverIdle(c: Change): void {
  const urgent = [...pick(c, ['urgent'])];
  if (urgent.length === 0) releaseCarried(c);
  // What a text of our own cut goes on in the turn that this text begins: that one is for nothing else.
  const goesOn = c.session.carried.length > 0 && urgent.every(({ from }) => from.kind === 'sm');
  const messages = goesOn ? urgent : [...pick(c, ['urgent', 'important', 'sequential'])];
  if (messages.length > 0) beginAttempt(c, messages);
}

/** Urgent interrupts; important is given to the agent for its next step; sequential waits. */
function deliverMidTurn(c: Change): void {
  const { rotated = null } = c.session.turn ?? {};
  const [urgent] = pick(c, ['urgent']);
  // An agent that has just been handed its context over first reads what it is about.
  if (urgent && rotated?.steps === 0) return;
  if (urgent) {
    beginInterrupt(c, { message: urgent.id, from: urgent.from });
    return;
  }
  if (rotated || !takesText(c.session, c.manners)) return;
  const messages = [...pick(c, ['important'])];
  if (messages.length > 0) beginAttempt(c, messages, { midTurn: true });
}

/** Only what has waited for the compaction long enough: the agent keeps it until it is done. */
function deliverCompacting(c: Change): void {
  if (c.manners.midTurn === 'never') return;
  const messages = [...c.waiting('urgent')].filter((each) => each.evenCompacting && !isReturned(each));
  if (messages.length > 0) beginAttempt(c, messages, { midTurn: true });
}

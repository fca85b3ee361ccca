// Turns: how they begin and end, by the provider's own id of the prompt and never by counting.

import { compactionEnded } from './compaction.ts';
import type { Draft } from './draft.ts';
import { isOfClear, underClear } from './expected-clears.ts';
import type { Fact } from './fact.ts';
import { enoughSteps, turnEndsInHandoff } from './handoff.ts';
import type { Evidence, MessageId } from './message.ts';
import { tellTurnEnd } from './notices.ts';
import { answered } from './questions.ts';
import { reminderAtTurnEnd } from './reminder.ts';
import { isAlive, type PastTurn, type SessionId, type Turn } from './session.ts';
import { type Ending, ending } from './wording.ts';

/** Ends that wait for their start; more than these would mean that nobody tells us of starts at all. */
const earlyEndsKept = 8;
/** How many turns a late fact may lie back: the transcript is read to its end at every turn's end, so it is hardly one. */
const endedTurnsKept = 16;

export const isPartOf = (turn: Turn, id: string | null): boolean =>
  id !== null && (turn.id === id || turn.earlier.some((part) => part.id === id));

export function whatIsKnownOf(d: Draft, turnId: string | null): Ending {
  const { lastTurn } = d.session;
  return lastTurn?.id === turnId ? ending(lastTurn.end, { lastWords: lastTurn.lastWords }) : ending('ended');
}

export function activity(
  d: Draft,
  fact: Extract<Fact, { is: 'activity' | 'permission-asked' }>,
  evidence: Evidence,
): void {
  const { turn, question } = d.session;
  if (hasEnded(d, fact.turnId)) return;
  if (fact.is === 'activity' && question && question.subject === fact.subject) answered(d, 'it went on');
  if (turn) {
    nameTurn(d, fact.turnId, evidence);
    takeStep(d);
  } else beginTurn(d, fact.turnId, null, evidence);
  if (fact.is === 'activity' && fact.step) countTools(d, fact.step === 'tool-began' ? 1 : -1);
}

function countTools(d: Draft, change: number): void {
  const { turn } = d.session;
  if (turn) d.update({ turn: { ...turn, tools: Math.max(0, (turn.tools ?? 0) + change) } });
}

/** Only the first turn after a handoff counts what it does, and only as far as anybody asks. */
export function takeStep(d: Draft): void {
  const { turn } = d.session;
  if (!turn?.rotated || turn.rotated.steps > enoughSteps) return;
  d.update({ turn: { ...turn, rotated: { steps: turn.rotated.steps + 1 } } });
}

export function turnEnded(d: Draft, end: Ending & { turnId: string | null }, evidence: Evidence): void {
  if (isOfClear(d, end.turnId, evidence)) return;
  const { turn } = d.session;
  if (endPart(d, end.turnId, end, evidence)) return;
  if (turn && canEnd(d, turn, end.turnId)) {
    d.update({ turn: { ...turn, id: turn.id ?? end.turnId } });
    endTurn(d, end, evidence);
    return;
  }
  if (end.turnId === null || hasEnded(d, end.turnId)) {
    // Every end is told twice, by the hook and by the transcript; only a second hook is worth a note.
    if (evidence.source === 'hook')
      d.emit({ type: 'fact-set-aside', fact: `turn ${end.end}`, why: 'no turn runs that it could end' });
    return;
  }
  const { stillRuns, lastWords } = end;
  const early = { id: end.turnId, end: end.end, at: evidence.at, lastWords, stillRuns };
  const known = d.session.earlyEnds.filter((each) => each.id !== early.id);
  d.update({ earlyEnds: [...known, early].slice(-earlyEndsKept) });
  d.emit({ type: 'fact-set-aside', fact: `turn ${end.end}`, why: 'its start has not been told yet' });
}

/** Of prompts that were taken up one after the other, one may be told to end late; those before it ended with it. */
function endPart(d: Draft, id: string | null, how: Ending, evidence: Evidence): boolean {
  const { turn } = d.session;
  const at = turn?.earlier.findIndex((each) => each.id === id) ?? -1;
  if (!turn || at < 0) return false;
  const over = turn.earlier.slice(0, at + 1);
  const ids = over.map((part) => part.id);
  d.update({ turn: { ...turn, earlier: turn.earlier.slice(at + 1) } });
  rememberEnd(
    d,
    ids.map((each) => ({ id: each, prompted: true })),
  );
  d.emit({ type: 'turn-ended', turn: id, end: how.end, lastWords: how.lastWords, evidence });
  const ours = isOurCut(d, ids, how);
  // Our Escape has done its work: what the agent had enqueued runs now, and is another turn to cut.
  if (ids.some((each) => each === d.session.interrupt?.turn)) d.update({ interrupt: null });
  const part = { id, messages: over.flatMap((each) => each.messages), wroteTo: turn.wroteTo };
  if (ours) carryOn(d, part, how);
  else answerMessages(d, part, how);
  return true;
}

/** A turn without an id may be any, but none whose end was told already. */
function canEnd(d: Draft, turn: Turn, id: string | null): boolean {
  if (id === null || turn.id === id) return true;
  return turn.id === null && !hasEnded(d, id) && !d.session.earlyEnds.some((early) => early.id === id);
}

/** An interrupt is told by the transcript alone, so it must name the turn that runs. */
export function turnInterrupted(d: Draft, turnId: string | null, evidence: Evidence): void {
  const { turn } = d.session;
  if (hasEnded(d, turnId)) return;
  // What was enqueued went on at once; only what ran before it was cut.
  if (endPart(d, turnId, ending('interrupted'), evidence)) return;
  if (turn && (turnId === turn.id || (turnId !== null && canEnd(d, turn, turnId)))) {
    nameTurn(d, turnId, evidence);
    endTurn(d, ending('interrupted'), evidence);
  } else d.emit({ type: 'fact-set-aside', fact: 'turn interrupted', why: 'that turn does not run' });
}

export function hasEnded(d: Draft, turnId: string | null): boolean {
  return turnId !== null && d.session.endedTurns.some(({ id }) => id === turnId);
}

export function beginTurn(
  d: Draft,
  id: string | null,
  /** Null: it was seen at work, and its prompt has not been told. */
  prompt: readonly MessageId[] | null,
  evidence: Evidence,
): void {
  // On the way to a clear, what was cut does not go on.
  const carried = prompt && prompt.length > 0 && !d.session.clear ? d.session.carried : [];
  const all = [...carried, ...(prompt ?? [])];
  const { lastHandoff, context } = d.session;
  // Done a moment ago, by the prompt of this very turn.
  const rotated = lastHandoff?.context === context.number && lastHandoff.at === d.now ? { steps: 0 } : null;
  d.update({
    turn: { id, beganAt: d.now, messages: all, prompted: prompt !== null, earlier: [], wroteTo: [], rotated },
  });
  if (carried.length > 0) d.update({ carried: [] });
  d.emit({ type: 'turn-began', turn: id, messages: all, evidence });
  endIfTold(d, evidence);
  // Told by the spool after the agent had died: the prompt did arrive, and its turn died with the agent.
  if (!isAlive(d.session))
    endTurn(d, ending('failed', { because: 'is gone; it had taken your message.' }), evidence);
}

/** A turn that was only seen so far gets its id from the first fact that has one. */
export function nameTurn(d: Draft, id: string | null, evidence: Evidence): void {
  const { turn } = d.session;
  if (!turn || turn.id !== null || id === null) return;
  d.update({ turn: { ...turn, id } });
  endIfTold(d, evidence);
}

/** The turn's end may have been told before its start. */
export function endIfTold(d: Draft, evidence: Evidence): void {
  const { turn, earlyEnds } = d.session;
  const early = earlyEnds.find((each) => each.id === turn?.id);
  if (!early) return;
  d.update({ earlyEnds: earlyEnds.filter((each) => each !== early) });
  endTurn(d, ending(early.end, { lastWords: early.lastWords, stillRuns: early.stillRuns }), evidence);
}

export function endTurn(d: Draft, ended: Ending, evidence: Evidence): void {
  const { turn, interrupt } = d.session;
  if (!turn) return;
  const how = underClear(d, ended);
  compactionEnded(d, 'the turn has ended');
  answered(d, 'the turn has ended');
  const messages = [...turn.earlier.flatMap((each) => each.messages), ...turn.messages];
  const { id, prompted } = turn;
  const ours = isOurCut(d, [...turn.earlier.map((part) => part.id), id], how);
  const past = [
    ...turn.earlier.map((part) => ({ id: part.id, prompted: true })),
    ...(id === null ? [] : [{ id, prompted }]),
  ];
  d.update({
    turn: null,
    interrupt: null,
    ...(interrupt?.step === 'pressed' && how.end !== 'interrupted' && { idleEscapeAt: d.now }),
    lastTurn: { id: turn.id, end: how.end, at: evidence.at, lastWords: how.lastWords },
  });
  rememberEnd(d, past);
  d.emit({ type: 'turn-ended', turn: turn.id, end: how.end, lastWords: how.lastWords, evidence });
  if (turnEndsInHandoff(d, how, ours) || ours) carryOn(d, { ...turn, messages }, how);
  else answerMessages(d, { ...turn, messages }, how);
}

/** A review that was cut does not go on in any other turn. */
function carryOn(d: Draft, turn: Pick<Turn, 'id' | 'messages' | 'wroteTo'>, how: Ending): void {
  const reviews = turn.messages.filter((id) => d.message(id)?.review);
  const rest = turn.messages.filter((id) => !reviews.includes(id));
  d.update({ carried: [...d.session.carried, ...rest] });
  if (reviews.length === 0) return;
  const because = 'was interrupted by an urgent message before its review was done.';
  answerMessages(d, { ...turn, messages: reviews }, { ...how, because });
}

/** A turn that we cut ourselves goes on in the turn that our message starts; any other Escape was a human's. */
function isOurCut(d: Draft, turns: readonly (string | null)[], how: Ending): boolean {
  const { interrupt } = d.session;
  if (interrupt?.step !== 'pressed' || how.end !== 'interrupted' || how.because !== null) return false;
  return interrupt.turn === null || turns.includes(interrupt.turn);
}

/** What the agent was given and never took up waits again; what we cut will not go on. */
export function giveBack(d: Draft, why: string, carriedEnd: Ending | null = ending('interrupted')): void {
  giveBackEnqueued(d, why);
  d.update({ interrupt: null });
  if (carriedEnd) releaseCarried(d, carriedEnd);
}

export function giveBackEnqueued(d: Draft, why: string): void {
  for (const message of d.session.enqueued.flatMap((id) => d.message(id) ?? [])) {
    d.put({ ...message, state: { is: 'queued' } });
    d.emit({ type: 'message-requeued', message: message.id, why });
  }
  d.update({ enqueued: [] });
}

/** What we cut has nowhere to go on: its senders hear that it was interrupted. */
export function releaseCarried(d: Draft, how: Ending = ending('interrupted')): void {
  const { carried } = d.session;
  if (carried.length === 0) return;
  d.update({ carried: [] });
  answerMessages(d, { id: d.session.lastTurn?.id ?? null, messages: carried, wroteTo: [] }, how);
}

function rememberEnd(d: Draft, past: readonly PastTurn[]): void {
  d.update({ endedTurns: [...d.session.endedTurns, ...past].slice(-endedTurnsKept) });
}

/** Their turn is over: the messages are answered, and whoever sent them is told. */
export function answerMessages(
  d: Draft,
  { id: turn, messages: ids, wroteTo }: Pick<Turn, 'id' | 'messages' | 'wroteTo'>,
  how: Ending,
): void {
  const messages = ids.flatMap((id) => d.message(id) ?? []).filter(({ state }) => state.is === 'accepted');
  for (const message of messages) {
    d.put({ ...message, state: { is: 'answered', at: d.now, turn } });
    d.emit({ type: 'message-answered', message: message.id, turn });
  }
  tellTurnEnd(d, messages, wroteTo, how);
  reminderAtTurnEnd(d, how);
}

export function wrote(d: Draft, to: SessionId): undefined {
  const { turn } = d.session;
  if (turn && !turn.wroteTo.includes(to)) d.update({ turn: { ...turn, wroteTo: [...turn.wroteTo, to] } });
}

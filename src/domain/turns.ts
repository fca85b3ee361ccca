// Turns: how they begin and end, by the provider's own id of the prompt and never by counting.

import { compactionEnded } from './compaction.ts';
import { fromStart } from './contexts.ts';
import { accept } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { Fact } from './fact.ts';
import { type Evidence, type MessageId, messageIdsIn } from './message.ts';
import { answered } from './questions.ts';
import { isAlive, type TurnEnd } from './session.ts';

/** Ends that wait for their start; more than these would mean that nobody tells us of starts at all. */
const earlyEndsKept = 8;
/** How many turns a late fact may lie back: the transcript is read to its end at every turn's end, so it is hardly one. */
const endedTurnsKept = 16;

export function promptSubmitted(
  d: Draft,
  fact: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): void {
  const { context } = d.session;
  const transcript = context.transcript ?? (fact.transcriptPath ? fromStart(fact.transcriptPath) : null);
  d.update({ context: { ...context, used: true, transcript } });
  if (hasEnded(d, fact.turnId)) return;
  compactionEnded(d, 'a prompt was taken');
  answered(d, 'a prompt was taken');
  const messages = accept(d, messageIdsIn(fact.text), fact.turnId, evidence);

  const { turn } = d.session;
  if (turn && (turn.id === fact.turnId || turn.id === null)) {
    const added = messages.filter((id) => !turn.messages.includes(id));
    if (added.length || turn.id !== fact.turnId)
      d.update({ turn: { ...turn, id: fact.turnId, messages: [...turn.messages, ...added] } });
    return;
  }
  // An agent takes a new prompt only when the old turn is over; an interrupt tells nobody.
  if (turn) endTurn(d, { end: 'interrupted', lastWords: null }, evidence);
  beginTurn(d, fact.turnId, messages, evidence);
}

export function activity(
  d: Draft,
  fact: Extract<Fact, { is: 'activity' | 'permission-asked' }>,
  evidence: Evidence,
): void {
  const { turn, question } = d.session;
  if (hasEnded(d, fact.turnId)) return;
  if (fact.is === 'activity' && question && question.subject === fact.subject) answered(d, 'it went on');
  if (!turn) beginTurn(d, fact.turnId, [], evidence);
  else if (turn.id === null) d.update({ turn: { ...turn, id: fact.turnId } });
}

export function turnEnded(
  d: Draft,
  end: { turnId: string | null; end: TurnEnd; lastWords: string | null },
  evidence: Evidence,
): void {
  const { turn } = d.session;
  if (turn && (end.turnId === null || turn.id === null || turn.id === end.turnId)) {
    d.update({ turn: { ...turn, id: turn.id ?? end.turnId } });
    return endTurn(d, end, evidence);
  }
  if (end.turnId === null || hasEnded(d, end.turnId)) {
    // Every end is told twice, by the hook and by the transcript; only a second hook is worth a note.
    if (evidence.source === 'hook')
      d.emit({ type: 'fact-set-aside', fact: `turn ${end.end}`, why: 'no turn runs that it could end' });
    return;
  }
  const early = { id: end.turnId, end: end.end, at: evidence.at, lastWords: end.lastWords };
  const known = d.session.earlyEnds.filter((each) => each.id !== early.id);
  d.update({ earlyEnds: [...known, early].slice(-earlyEndsKept) });
  d.emit({ type: 'fact-set-aside', fact: `turn ${end.end}`, why: 'its start has not been told yet' });
}

/** An interrupt is told by the transcript alone, so it must name the turn that runs. */
export function turnInterrupted(d: Draft, turnId: string | null, evidence: Evidence): void {
  const { turn } = d.session;
  if (turn && (turn.id === null || turn.id === turnId))
    return endTurn(d, { end: 'interrupted', lastWords: null }, evidence);
  d.emit({ type: 'fact-set-aside', fact: 'turn interrupted', why: 'that turn does not run' });
}

export function hasEnded(d: Draft, turnId: string | null): boolean {
  return turnId !== null && d.session.endedTurns.includes(turnId);
}

export function beginTurn(
  d: Draft,
  id: string | null,
  messages: readonly MessageId[],
  evidence: Evidence,
): void {
  d.update({ turn: { id, beganAt: d.now, messages } });
  d.emit({ type: 'turn-began', turn: id, messages, evidence });
  const early = d.session.earlyEnds.find((each) => each.id === id);
  if (early) {
    d.update({ earlyEnds: d.session.earlyEnds.filter((each) => each !== early) });
    endTurn(d, early, evidence);
  } else if (!isAlive(d.session)) {
    // Told by the spool after the agent had died: the prompt did arrive, and its turn died with the agent.
    endTurn(d, { end: 'failed', lastWords: null }, evidence);
  }
}

export function endTurn(d: Draft, how: { end: TurnEnd; lastWords: string | null }, evidence: Evidence): void {
  const { turn } = d.session;
  if (!turn) return;
  compactionEnded(d, 'the turn has ended');
  answered(d, 'the turn has ended');
  const endedTurns =
    turn.id === null ? d.session.endedTurns : [...d.session.endedTurns, turn.id].slice(-endedTurnsKept);
  d.update({
    turn: null,
    endedTurns,
    lastTurn: { id: turn.id, end: how.end, at: evidence.at, lastWords: how.lastWords },
  });
  d.emit({ type: 'turn-ended', turn: turn.id, end: how.end, lastWords: how.lastWords, evidence });
  for (const id of turn.messages) {
    const message = d.message(id);
    if (message?.state.is !== 'accepted') continue;
    d.put({ ...message, state: { is: 'answered', at: d.now, turn: turn.id } });
    d.emit({ type: 'message-answered', message: id, turn: turn.id });
  }
}

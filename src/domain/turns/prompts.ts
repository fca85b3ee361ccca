// Prompts: what proves that the agent has a message, and which turn has taken it up.

import { compactionEnded } from '../context/compaction.ts';
import type { Draft } from '../core/change.ts';
import { unknownEnd } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import { isReturned, mayHave, messageIdsIn } from '../core/message.ts';
import { type Evidence, type MessageId, modes } from '../core/names.ts';
import { isAlive } from '../core/session.ts';
import { accept } from '../delivery/outcome.ts';
import { fromStart } from './contexts.ts';
import { answered } from './questions.ts';
import {
  beginTurn,
  endIfTold,
  endMessages,
  endTurn,
  hasEnded,
  isPartOf,
  nameTurn,
  whatIsKnownOf,
} from './turns.ts';

export function promptSubmitted(
  d: Draft,
  fact: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): void {
  const { context } = d.session;
  const transcript = context.transcript ?? (fact.transcriptPath ? fromStart(fact.transcriptPath) : null);
  d.update({ context: { ...context, used: true, transcript } });
  const ids = fact.messages?.filter((id) => isGiven(d, id)) ?? messagesIn(d, fact.text);
  if (
    evidence.source !== 'transcript' &&
    (wasPrompted(d, fact.turnId) || isBehindEnqueued(d, fact.turnId, ids, evidence))
  ) {
    enqueuedByAgent(d, ids, evidence);
    return;
  }
  // Told a second time when it may be back in the composer already: that is no proof that the agent has it again.
  if (hasEnded(d, fact.turnId) && wasPrompted(d, fact.turnId)) return;
  const messages = take(d, ids, fact.turnId, evidence);
  const { turn } = d.session;
  if (hasEnded(d, fact.turnId)) {
    answerLate(d, fact.turnId, messages);
    return;
  }
  // The prompt of the turn that runs is told twice, by the hook and by the transcript: that proves nothing new.
  if (!turn || !isPartOf(turn, fact.turnId)) {
    compactionEnded(d, 'a prompt was taken');
    answered(d, 'a prompt was taken');
  }
  if (turn && (turn.id === null || fact.turnId === null || isPartOf(turn, fact.turnId))) {
    d.update({ turn: { ...turn, prompted: true, messages: [...turn.messages, ...messages] } });
    nameTurn(d, fact.turnId, evidence);
    return;
  }
  if (turn?.id && !turn.closing && evidence.source === 'transcript') {
    // Several texts are taken up together: each has an id, and only the last one is told to end.
    const earlier = [...turn.earlier, { id: turn.id, messages: turn.messages }];
    d.update({ turn: { ...turn, id: fact.turnId, messages, earlier } });
    endIfTold(d, evidence);
    return;
  }
  // An agent takes a new prompt only when the old turn is over.
  if (turn) endTurn(d, unknownEnd, evidence);
  beginTurn(d, fact.turnId, messages, evidence);
}

/** The turn's own prompt is known: whatever else is submitted under its id was typed while it ran. */
function wasPrompted(d: Draft, id: string | null): boolean {
  const { turn, endedTurns } = d.session;
  if (turn && isPartOf(turn, id)) return turn.prompted;
  return endedTurns.some((past) => past.id === id && past.prompted);
}

export function promptEnqueued(d: Draft, text: string, evidence: Evidence): void {
  enqueuedByAgent(d, messagesIn(d, text), evidence);
}

/**
 * Given while a turn ran: the agent has it, and will say which turn takes it up. An agent that is gone took along what
 * it had not taken up.
 */
function enqueuedByAgent(d: Draft, ids: readonly MessageId[], evidence: Evidence): void {
  if (!isAlive(d.session)) return;
  d.update({ enqueued: [...d.session.enqueued, ...accept(d, ids, null, evidence)] });
}

/** Told when the turn was over. One that took nothing of ours ends nothing: another may be going on by now. */
function answerLate(d: Draft, id: string | null, messages: readonly MessageId[]): void {
  if (messages.length > 0) endMessages(d, { id, messages, wroteTo: [] }, whatIsKnownOf(d, id));
}

/**
 * What the agent was given before goes first, and of the turn that takes it up only the transcript tells. So a text that
 * a hook tells under an id which is new to us was typed into that turn.
 */
function isBehindEnqueued(
  d: Draft,
  id: string | null,
  ids: readonly MessageId[],
  { source }: Evidence,
): boolean {
  const { enqueued, turn } = d.session;
  if (source !== 'hook' || id === null || enqueued.length === 0 || hasEnded(d, id)) return false;
  return !ids.some((each) => enqueued.includes(each)) && !(turn && isPartOf(turn, id));
}

export function promptAbsorbed(
  d: Draft,
  fact: Extract<Fact, { is: 'prompt-absorbed' }>,
  evidence: Evidence,
): void {
  const messages = take(d, messagesIn(d, fact.text), fact.turnId, evidence);
  const { turn } = d.session;
  if (turn && !hasEnded(d, fact.turnId))
    d.update({ turn: { ...turn, closing: null, messages: [...turn.messages, ...messages] } });
  else answerLate(d, fact.turnId, messages);
}

/**
 * The context was cleared before its last prompt was told. The agent had it, so it must not be typed again; what became
 * of it went with the context.
 */
export function promptOfOldContext(
  d: Draft,
  fact: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): void {
  const messages = accept(d, messagesIn(d, fact.text), fact.turnId, evidence);
  endMessages(d, { id: fact.turnId, messages, wroteTo: [] }, { end: 'cleared', by: null });
}

/** A turn takes these up: those that it is the first to prove, and those that the agent was given before. */
function take(d: Draft, ids: readonly MessageId[], turn: string | null, evidence: Evidence): MessageId[] {
  const { enqueued } = d.session;
  const given = [...enqueued.filter((id) => ids.includes(id)), ...takenAgain(d, ids, turn)];
  if (given.length > 0) d.update({ enqueued: enqueued.filter((id) => !given.includes(id)) });
  for (const id of given) {
    const message = d.message(id);
    if (message?.state.is === 'accepted') d.put({ ...message, state: { ...message.state, turn } });
  }
  return [...given, ...accept(d, ids, turn, evidence)];
}

/** A prompt that came back into the composer and was sent again belongs to the turn that it starts now. */
function takenAgain(d: Draft, ids: readonly MessageId[], id: string | null): MessageId[] {
  const { turn, carried } = d.session;
  if (id === null || hasEnded(d, id)) return [];
  const isNew = turn?.id != null && !isPartOf(turn, id);
  const ofTurn = isNew ? turn.messages.filter((each) => ids.includes(each)) : [];
  const cut = carried.filter((each) => ids.includes(each));
  if (turn && ofTurn.length > 0)
    d.update({ turn: { ...turn, messages: turn.messages.filter((each) => !ofTurn.includes(each)) } });
  if (cut.length > 0) d.update({ carried: carried.filter((each) => !cut.includes(each)) });
  return [...ofTurn, ...cut];
}

/**
 * Which messages a prompt carries: those whose headers stand in it and, of our texts that go without one, those that
 * stand in it word for word. Only what the agent or its human may have from us counts: anybody can write a header.
 */
function messagesIn(d: Draft, prompt: string): MessageId[] {
  const { attempt, enqueued, carried, turn } = d.session;
  const typed = attempt?.step === 'typed' ? attempt.messages : (attempt?.standing ?? []);
  const back = modes.flatMap((mode) => [...d.waiting(mode)].filter(isReturned).map(({ id }) => id));
  const given = [...new Set([...typed, ...enqueued, ...carried, ...(turn?.messages ?? []), ...back])];
  return messageIdsIn(
    prompt,
    given.flatMap((id) => d.message(id) ?? []),
  ).filter((id) => isGiven(d, id));
}

function isGiven(d: Draft, id: MessageId): boolean {
  const message = d.message(id);
  return message !== undefined && mayHave(message);
}

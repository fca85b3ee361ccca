// Prompts: what proves that the agent has a message, and which turn has taken it up.

import type { Change } from '../core/change.ts';
import { unknownEnd } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import { isReturned, mayHave, messageIdsIn } from '../core/message.ts';
import { type Evidence, type MessageId, modes } from '../core/names.ts';
import { type Context, isAlive } from '../core/session.ts';
import { accept } from '../delivery/outcome.ts';
import { fromStart } from './contexts.ts';
import { questionOver } from './question.ts';
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
  c: Change,
  fact: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): void {
  const { context } = c.session;
  const transcript = context.transcript ?? (fact.transcriptPath ? fromStart(fact.transcriptPath) : null);
  c.update({ context: { ...context, used: true, transcript } });
  const ids = fact.messages?.filter((id) => isGiven(c, id)) ?? messagesIn(c, fact.text);
  if (
    evidence.source !== 'transcript' &&
    (wasPrompted(c, fact.turnId) || isBehindEnqueued(c, fact.turnId, ids, evidence))
  ) {
    enqueuedByAgent(c, ids, evidence);
    return;
  }
  // Told a second time when it may be back in the composer already: that is no proof that the agent has it again.
  if (hasEnded(c, fact.turnId) && wasPrompted(c, fact.turnId)) return;
  const messages = take(c, ids, fact.turnId, evidence);
  const { turn } = c.session;
  if (hasEnded(c, fact.turnId)) {
    answerLate(c, fact.turnId, messages);
    return;
  }
  // The prompt of the turn that runs is told twice, by the hook and by the transcript: that proves nothing new.
  if (!turn || !isPartOf(turn, fact.turnId)) {
    c.announce({ is: 'no-compaction', why: 'a prompt was taken' });
    questionOver(c, 'a prompt was taken');
  }
  if (turn && (turn.id === null || fact.turnId === null || isPartOf(turn, fact.turnId))) {
    c.update({ turn: { ...turn, prompted: true, messages: [...turn.messages, ...messages] } });
    nameTurn(c, fact.turnId, evidence);
    return;
  }
  if (turn?.id && !turn.closing && evidence.source === 'transcript') {
    // Several texts are taken up together: each has an id, and only the last one is told to end.
    const earlier = [...turn.earlier, { id: turn.id, messages: turn.messages }];
    c.update({ turn: { ...turn, id: fact.turnId, messages, earlier } });
    endIfTold(c, evidence);
    return;
  }
  // An agent takes a new prompt only when the old turn is over.
  if (turn) endTurn(c, unknownEnd, evidence);
  beginTurn(c, fact.turnId, messages, evidence);
}

/** The turn's own prompt is known: whatever else is submitted under its id was typed while it ran. */
function wasPrompted(c: Change, id: string | null): boolean {
  const { turn, endedTurns } = c.session;
  if (turn && isPartOf(turn, id)) return turn.prompted;
  return endedTurns.some((past) => past.id === id && past.prompted);
}

export function promptEnqueued(c: Change, text: string, evidence: Evidence): void {
  enqueuedByAgent(c, messagesIn(c, text), evidence);
}

/**
 * Given while a turn ran: the agent has it, and will say which turn takes it up. An agent that is gone took along what
 * it had not taken up.
 */
function enqueuedByAgent(c: Change, ids: readonly MessageId[], evidence: Evidence): void {
  if (!isAlive(c.session)) return;
  c.update({ enqueued: [...c.session.enqueued, ...accept(c, ids, null, evidence)] });
}

/** Told when the turn was over. One that took nothing of ours ends nothing: another may be going on by now. */
function answerLate(c: Change, id: string | null, messages: readonly MessageId[]): void {
  if (messages.length > 0) endMessages(c, { id, messages, wroteTo: [] }, whatIsKnownOf(c, id));
}

/**
 * What the agent was given before goes first, and of the turn that takes it up only the transcript tells. So a text that
 * a hook tells under an id which is new to us was typed into that turn.
 */
function isBehindEnqueued(
  c: Change,
  id: string | null,
  ids: readonly MessageId[],
  { source }: Evidence,
): boolean {
  const { enqueued, turn } = c.session;
  if (source !== 'hook' || id === null || enqueued.length === 0 || hasEnded(c, id)) return false;
  return !ids.some((each) => enqueued.includes(each)) && !(turn && isPartOf(turn, id));
}

export function promptAbsorbed(
  c: Change,
  fact: Extract<Fact, { is: 'prompt-absorbed' }>,
  evidence: Evidence,
): void {
  const messages = take(c, messagesIn(c, fact.text), fact.turnId, evidence);
  const { turn } = c.session;
  if (turn && !hasEnded(c, fact.turnId))
    c.update({ turn: { ...turn, closing: null, messages: [...turn.messages, ...messages] } });
  else answerLate(c, fact.turnId, messages);
}

/** Of the conversation before, or of one that came and went unheard between that and the present one. */
export const isOfOldContext = ({ previous, announcedAt }: Context, providerId: string, at: number): boolean =>
  providerId === previous || (announcedAt !== null && at < announcedAt);

/**
 * The context was cleared before its last prompt was told. The agent had it, so it must not be typed again; what became
 * of it went with the context.
 */
export function promptOfOldContext(
  c: Change,
  fact: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): void {
  const messages = accept(c, messagesIn(c, fact.text), fact.turnId, evidence);
  endMessages(c, { id: fact.turnId, messages, wroteTo: [] }, { end: 'cleared', by: null });
}

/** A turn takes these up: those that it is the first to prove, and those that the agent was given before. */
function take(c: Change, ids: readonly MessageId[], turn: string | null, evidence: Evidence): MessageId[] {
  const { enqueued } = c.session;
  const given = [...enqueued.filter((id) => ids.includes(id)), ...takenAgain(c, ids, turn)];
  if (given.length > 0) c.update({ enqueued: enqueued.filter((id) => !given.includes(id)) });
  for (const id of given) {
    const message = c.message(id);
    if (message?.state.is === 'accepted') c.put({ ...message, state: { ...message.state, turn } });
  }
  return [...given, ...accept(c, ids, turn, evidence)];
}

/** A prompt that came back into the composer and was sent again belongs to the turn that it starts now. */
function takenAgain(c: Change, ids: readonly MessageId[], id: string | null): MessageId[] {
  const { turn, carried } = c.session;
  if (id === null || hasEnded(c, id)) return [];
  const isNew = turn?.id != null && !isPartOf(turn, id);
  const ofTurn = isNew ? turn.messages.filter((each) => ids.includes(each)) : [];
  const cut = carried.filter((each) => ids.includes(each));
  if (turn && ofTurn.length > 0)
    c.update({ turn: { ...turn, messages: turn.messages.filter((each) => !ofTurn.includes(each)) } });
  if (cut.length > 0) c.update({ carried: carried.filter((each) => !cut.includes(each)) });
  return [...ofTurn, ...cut];
}

/**
 * Which messages a prompt carries: those whose headers stand in it and, of our texts that go without one, those that
 * stand in it word for word. Only what the agent or its human may have from us counts: anybody can write a header.
 */
function messagesIn(c: Change, prompt: string): MessageId[] {
  const { attempt, enqueued, carried, turn } = c.session;
  const typed = attempt?.step === 'typed' ? attempt.messages : (attempt?.back?.messages ?? []);
  const back = modes.flatMap((mode) => [...c.waiting(mode)].filter(isReturned).map(({ id }) => id));
  const given = [...new Set([...typed, ...enqueued, ...carried, ...(turn?.messages ?? []), ...back])];
  return messageIdsIn(
    prompt,
    given.flatMap((id) => c.message(id) ?? []),
  ).filter((id) => isGiven(c, id));
}

function isGiven(c: Change, id: MessageId): boolean {
  const message = c.message(id);
  return message !== undefined && mayHave(message);
}

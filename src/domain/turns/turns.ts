// Turns: how they begin and end, by the provider's own id of the prompt and never by counting.

import { compactionEnded } from '../context/compaction.ts';
import { enoughSteps, turnEndsInHandoff } from '../context/handoff.ts';
import type { Draft } from '../core/change.ts';
import {
  type Cut,
  type Ending,
  ended,
  failed,
  interrupted,
  isGone,
  lastWordsOf,
  unknownEnd,
  whyNot,
} from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import { type Message, waitsAgain } from '../core/message.ts';
import type { Evidence, MessageId, SessionId } from '../core/names.ts';
import type { EarlyEnd, EndedTurn, PastTurn, Turn } from '../core/session.ts';
import { tellTurnEnd } from '../notices/notices.ts';
import { howItDied } from '../notices/wording.ts';
import { reminderAtTurnEnd } from '../promises/reminders.ts';
import { isOfClear, underClear } from './expected-clears.ts';
import { answered } from './questions.ts';

/** Ends that wait for their start; more than these would mean that nobody tells us of starts at all. */
const earlyEndsKept = 8;
/** How many turns a late fact may lie back: the transcript is read to its end at every turn's end, so it is hardly one. */
const endedTurnsKept = 16;

export const isPartOf = (turn: Turn, id: string | null): boolean =>
  id !== null && (turn.id === id || turn.earlier.some((part) => part.id === id));

/** Of a turn that has ended. Only the last one's words are kept. */
export function whatIsKnownOf(d: Draft, turnId: string | null): Ending {
  const { lastTurn, endedTurns } = d.session;
  const known = endedTurns.find(({ id }) => id === turnId)?.ending ?? unknownEnd;
  return lastTurn?.id === turnId ? withWords(known, lastTurn.lastWords) : known;
}

const withWords = (ending: Ending, lastWords: string | null): Ending =>
  ending.end === 'ended' || ending.end === 'failed' ? { ...ending, lastWords } : ending;

/** Whatever came after it, a turn in which the agent had said all that it had to say has ended by itself. */
const asFarAsTold = ({ closing }: Turn, otherwise: Ending): Ending =>
  closing ? ended(closing.lastWords) : otherwise;

/** Not the turn's own end, but something after which it cannot go on. */
const isGuess = (ending: Ending): boolean => isGone(ending) || ending.end === 'unknown';

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
    goesOn(d, evidence);
    takeStep(d);
  } else beginTurn(d, fact.turnId, null, evidence);
  if (fact.is === 'activity' && fact.step) countTools(d, fact.step === 'tool-began' ? 1 : -1);
}

/** The agent has said all that it had to say in this turn. That is not its end yet: a hook may make it go on. */
export function turnCloses(
  d: Draft,
  { turnId, lastWords }: Extract<Fact, { is: 'turn-closing' }>,
  evidence: Evidence,
): void {
  if (hasEnded(d, turnId)) return;
  nameTurn(d, turnId, evidence);
  const { turn } = d.session;
  if (turn?.id === turnId) d.update({ turn: { ...turn, closing: { lastWords, evidence } } });
}

/** It had more to say after all; unless this was said before, and is only heard later. */
function goesOn(d: Draft, { at }: Evidence): void {
  const { turn } = d.session;
  if (turn?.closing && at > turn.closing.evidence.at) d.update({ turn: { ...turn, closing: null } });
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

export function turnEnded(d: Draft, turnId: string | null, how: Ending, evidence: Evidence): void {
  if (isOfClear(d, turnId, evidence)) return;
  const { turn } = d.session;
  if (endPart(d, turnId, how, evidence)) return;
  if (turn && canEnd(d, turn, turnId)) {
    d.update({ turn: { ...turn, id: turn.id ?? turnId } });
    endTurn(d, how, evidence);
    return;
  }
  const fact = `turn ${how.end}`;
  if (turnId === null || hasEnded(d, turnId)) {
    // Every end is told twice, by the hook and by the transcript; only a second hook is worth a note.
    if (evidence.source === 'hook')
      d.emit({ type: 'fact-set-aside', fact, why: 'no turn runs that it could end' });
    return;
  }
  const stillRuns = how.end === 'ended' ? how.stillRuns : 0;
  const early = { id: turnId, end: how.end, at: evidence.at, lastWords: lastWordsOf(how), stillRuns };
  const known = d.session.earlyEnds.filter((each) => each.id !== early.id);
  d.update({ earlyEnds: [...known, early].slice(-earlyEndsKept) });
  d.emit({ type: 'fact-set-aside', fact, why: 'its start has not been told yet' });
}

/** Of prompts that were taken up one after the other, one may be told to end late; those before it ended with it. */
function endPart(d: Draft, id: string | null, how: Ending, evidence: Evidence): boolean {
  const { turn } = d.session;
  const at = turn?.earlier.findIndex((each) => each.id === id) ?? -1;
  if (!turn || at < 0) return false;
  const over = turn.earlier.slice(0, at + 1);
  const ids = over.map((part) => part.id);
  const cut = ourCut(d, ids, how);
  const end = cut ? ({ end: 'cut-off', cut } as const) : how;
  d.update({ turn: { ...turn, earlier: turn.earlier.slice(at + 1) } });
  rememberEnd(
    d,
    ids.map((each) => ({ id: each, prompted: true })),
    end,
  );
  d.emit({ type: 'turn-ended', turn: id, end: end.end, lastWords: lastWordsOf(end), evidence });
  // Our Escape has done its work: what the agent had enqueued runs now, and is another turn to cut.
  if (ids.some((each) => each === d.session.interrupt?.turn)) d.update({ interrupt: null });
  const part = { id, messages: over.flatMap((each) => each.messages), wroteTo: turn.wroteTo };
  if (cut) carryOn(d, part, end);
  else endMessages(d, part, end);
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
  if (endPart(d, turnId, interrupted, evidence)) return;
  if (turn && (turnId === turn.id || (turnId !== null && canEnd(d, turn, turnId)))) {
    nameTurn(d, turnId, evidence);
    endTurn(d, interrupted, evidence);
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
  settleCuts(d, carried, prompt ?? []);
  const all = [...carried, ...(prompt ?? [])];
  const { lastHandoff, context } = d.session;
  // Done a moment ago, by the prompt of this very turn.
  const rotated = lastHandoff?.context === context.number && lastHandoff.at === d.now ? { steps: 0 } : null;
  d.update({
    turn: {
      id,
      beganAt: d.now,
      messages: all,
      prompted: prompt !== null,
      earlier: [],
      wroteTo: [],
      rotated,
      closing: null,
    },
  });
  if (carried.length > 0) d.update({ carried: [] });
  d.emit({ type: 'turn-began', turn: id, messages: all, evidence });
  endIfTold(d, evidence);
  // Told by the spool after the agent had died: the prompt did arrive, and its turn died with the agent.
  const { process } = d.session;
  if (process.state === 'exited' || process.state === 'lost')
    endTurn(d, { end: 'died', how: howItDied(process), by: null }, evidence);
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
  endTurn(d, endOf(early), evidence);
}

const endOf = ({ end, lastWords, stillRuns }: EarlyEnd): Ending =>
  end === 'failed' ? failed(lastWords) : ended(lastWords, stillRuns);

export function endTurn(d: Draft, told: Ending, evidence: Evidence): void {
  const { turn, interrupt } = d.session;
  if (!turn) return;
  const how = underClear(d, isGuess(told) ? asFarAsTold(turn, told) : told);
  compactionEnded(d, 'the turn has ended');
  answered(d, 'the turn has ended');
  const messages = [...turn.earlier.flatMap((each) => each.messages), ...turn.messages];
  const { id, prompted } = turn;
  const cut = ourCut(d, [...turn.earlier.map((part) => part.id), id], how);
  const end = cut ? ({ end: 'cut-off', cut } as const) : how;
  const past = [
    ...turn.earlier.map((part) => ({ id: part.id, prompted: true })),
    ...(id === null ? [] : [{ id, prompted }]),
  ];
  const lastTurn: EndedTurn = { id, end: end.end, at: evidence.at, lastWords: lastWordsOf(end) };
  d.update({
    turn: null,
    interrupt: null,
    ...(interrupt?.step === 'pressed' && !cut && { idleEscapeAt: d.now }),
    lastTurn,
  });
  rememberEnd(d, past, end);
  d.emit({ type: 'turn-ended', turn: id, end: end.end, lastWords: lastTurn.lastWords, evidence });
  if (turnEndsInHandoff(d, end) || cut) carryOn(d, { ...turn, messages }, end);
  else endMessages(d, { ...turn, messages }, end);
}

/** What goes on in another turn. A review that was cut does not. */
function carryOn(d: Draft, turn: TakenBy, how: Ending): void {
  const reviews = turn.messages.filter((id) => d.message(id)?.review);
  const rest = turn.messages.filter((id) => !reviews.includes(id));
  if (how.end === 'cut-off') for (const id of rest) markCut(d, id, how.cut);
  d.update({ carried: [...d.session.carried, ...rest] });
  if (reviews.length > 0) endMessages(d, { ...turn, messages: reviews }, how);
}

/** Whoever was cut off by another's message stays so. What a text of our own cut goes on when the agent has that text. */
function markCut(d: Draft, id: MessageId, cut: Cut | null): void {
  const message = d.message(id);
  if (message?.state.is !== 'accepted') return;
  const { cut: before, ...state } = message.state;
  if (before && before.from.kind !== 'sm') return;
  d.put({ ...message, state: cut ? { ...state, cut } : state });
}

/** The agent has what its turn was cut for: is that another's message, or a text of our own? */
function settleCuts(d: Draft, carried: readonly MessageId[], prompt: readonly MessageId[]): void {
  if (carried.length === 0) return;
  const urgent = prompt.flatMap((id) => d.message(id) ?? []).filter(({ mode }) => mode === 'urgent');
  const [others] = urgent.filter(({ from }) => from.kind !== 'sm');
  if (urgent.length === 0) return;
  for (const id of carried) markCut(d, id, others ? { message: others.id, from: others.from } : null);
}

/** An interrupt of before, which did not say what it was for. */
const unnamed: Cut = { message: null, from: { kind: 'sm' } };

/** What we pressed Escape at this turn for; any other interrupt was a human's. */
function ourCut(d: Draft, turns: readonly (string | null)[], how: Ending): Cut | null {
  const { interrupt } = d.session;
  if (interrupt?.step !== 'pressed' || (how.end !== 'interrupted' && how.end !== 'unknown')) return null;
  return interrupt.turn === null || turns.includes(interrupt.turn) ? (interrupt.for ?? unnamed) : null;
}

/** What the agent was given and never took up waits again; what we cut will not go on. */
export function giveBack(d: Draft, why: string, carriedEnd: Ending | null = unknownEnd): void {
  giveBackEnqueued(d, why);
  d.update({ interrupt: null });
  if (carriedEnd) releaseCarried(d, carriedEnd);
}

export function giveBackEnqueued(d: Draft, why: string): void {
  for (const message of d.session.enqueued.flatMap((id) => d.message(id) ?? [])) {
    d.put(waitsAgain(message));
    d.emit({ type: 'message-requeued', message: message.id, why });
  }
  d.update({ enqueued: [] });
}

/** What we cut has nowhere to go on. */
export function releaseCarried(d: Draft, how: Ending = unknownEnd): void {
  const { carried } = d.session;
  if (carried.length === 0) return;
  d.update({ carried: [] });
  endMessages(d, { id: d.session.lastTurn?.id ?? null, messages: carried, wroteTo: [] }, how);
}

function rememberEnd(d: Draft, past: readonly PastTurn[], how: Ending): void {
  const ending = withWords(how, null);
  const ends = past.map((each) => ({ ...each, ending }));
  d.update({ endedTurns: [...d.session.endedTurns, ...ends].slice(-endedTurnsKept) });
}

type TakenBy = Pick<Turn, 'id' | 'messages' | 'wroteTo'>;

/** What was cut off stays so, whatever became of the agent after that; but what was cut for a clear was cleared. */
const endingOf = (cut: Cut | undefined, how: Ending): Ending =>
  !cut || (cut.message === null && how.end === 'cleared') ? how : { end: 'cut-off', cut };

/** Their turn is over, and so are they: answered, if it ended by itself and nothing cut them off. Their senders hear it. */
export function endMessages(d: Draft, { id: turn, messages: ids, wroteTo }: TakenBy, how: Ending): void {
  const over: { message: Message; ending: Ending }[] = [];
  for (const message of ids.flatMap((id) => d.message(id) ?? [])) {
    if (message.state.is !== 'accepted') continue;
    const ending = endingOf(message.state.cut, how);
    over.push({ message, ending });
    const at = d.now;
    if (ending.end === 'ended') {
      d.put({ ...message, state: { is: 'answered', at, turn } });
      d.emit({ type: 'message-answered', message: message.id, turn });
    } else {
      const { end } = ending;
      const why = whyNot(ending);
      d.put({ ...message, state: { is: end, at, why, turn } });
      d.emit({ type: `message-${end}`, message: message.id, turn, why });
    }
  }
  tellTurnEnd(d, over, wroteTo, how);
  reminderAtTurnEnd(d, how);
}

export function wrote(d: Draft, to: SessionId): undefined {
  const { turn } = d.session;
  if (turn && !turn.wroteTo.includes(to)) d.update({ turn: { ...turn, wroteTo: [...turn.wroteTo, to] } });
}

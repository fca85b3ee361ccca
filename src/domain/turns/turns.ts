// Turns: how they begin and end, by the provider's own id of the prompt and never by counting.

import { become } from '../core/become.ts';
import type { Change } from '../core/change.ts';
import {
  type Cut,
  type Ending,
  ended,
  failed,
  isGone,
  lastWordsOf,
  unknownEnd,
  whyNot,
} from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import { setInterrupt } from '../core/interrupting.ts';
import type { Message } from '../core/message.ts';
import type { Evidence, MessageId, SessionId } from '../core/names.ts';
import type { EarlyEnd, EndedTurn, PastTurn, Turn } from '../core/session.ts';
import { endsInHandoff, stepsCounted } from '../core/session.ts';
import { waitAgain } from '../delivery/outcome.ts';
import { tellTurnEnd } from '../notices/notices.ts';
import { howItDied } from '../notices/wording.ts';
import { underClear } from './expected-clears.ts';
import { questionOver, subjectRan } from './question.ts';

/** How many turns a late fact may lie back: the transcript is read to its end at every turn's end, so it is hardly one. */
const endedTurnsKept = 16;

export const isPartOf = (turn: Turn, id: string | null): boolean =>
  id !== null && (turn.id === id || turn.earlier.some((part) => part.id === id));

/** Of a turn that has ended. Only the last one's words are kept. */
export function whatIsKnownOf(c: Change, turnId: string | null): Ending {
  const { lastTurn, endedTurns } = c.session;
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
  c: Change,
  fact: Extract<Fact, { is: 'activity' | 'permission-asked' }>,
  evidence: Evidence,
): void {
  const { turn, question } = c.session;
  if (hasEnded(c, fact.turnId)) return;
  if (fact.is === 'activity' && question && question.subject === fact.subject) questionOver(c, 'it went on');
  if (fact.is === 'activity' && fact.ran) subjectRan(c, fact.subject);
  if (turn) {
    nameTurn(c, fact.turnId, evidence);
    // What another turn does says nothing of this one.
    if (fact.turnId === null || isPartOf(turn, fact.turnId)) goesOn(c, evidence);
    takeStep(c);
  } else beginTurn(c, fact.turnId, null, evidence);
  if (fact.is === 'activity' && fact.step) countTools(c, fact.step === 'tool-began' ? 1 : -1);
}

/** It had more to say after all; unless this was said before, and is only heard later. */
function goesOn(c: Change, { at }: Evidence): void {
  const { turn } = c.session;
  if (turn?.closing && at > turn.closing.evidence.at) c.update({ turn: { ...turn, closing: null } });
}

function countTools(c: Change, change: number): void {
  const { turn } = c.session;
  if (turn) c.update({ turn: { ...turn, tools: Math.max(0, turn.tools + change) } });
}

/** Only the first turn after a handoff counts what it does, and only as far as anybody asks. */
export function takeStep(c: Change): void {
  const { turn } = c.session;
  if (!turn?.rotated || turn.rotated.steps >= stepsCounted) return;
  c.update({ turn: { ...turn, rotated: { steps: turn.rotated.steps + 1 } } });
}

/** Of prompts that were taken up one after the other, one may be told to end late; those before it ended with it. */
export function endPart(c: Change, id: string | null, how: Ending, evidence: Evidence): boolean {
  const { turn } = c.session;
  const at = turn?.earlier.findIndex((each) => each.id === id) ?? -1;
  if (!turn || at < 0) return false;
  const over = turn.earlier.slice(0, at + 1);
  const ids = over.map((part) => part.id);
  const end = asWeCutIt(c, ids, how);
  // Our Escape has done its work: what the agent had enqueued runs now, and is another turn to cut.
  const isCut = ids.some((each) => each === turn.interrupt?.turn);
  const left = { ...turn, earlier: turn.earlier.slice(at + 1) };
  c.update({ turn: isCut ? { ...left, interrupt: null, halt: null } : left });
  rememberEnd(
    c,
    ids.map((each) => ({ id: each, prompted: true })),
    end,
  );
  c.emit({ type: 'turn', step: 'ended', turn: id, end: end.end, lastWords: lastWordsOf(end), evidence });
  const part = { id, messages: over.flatMap((each) => each.messages), wroteTo: turn.wroteTo };
  if (end.end === 'cut-off') carryOn(c, part, end);
  else endMessages(c, part, end);
  return true;
}

/** A turn without an id may be any, but none whose end was told already. */
export function canEnd(c: Change, turn: Turn, id: string | null): boolean {
  if (id === null || turn.id === id) return true;
  return turn.id === null && !hasEnded(c, id) && !c.session.earlyEnds.some((early) => early.id === id);
}

export function hasEnded(c: Change, turnId: string | null): boolean {
  return turnId !== null && c.session.endedTurns.some(({ id }) => id === turnId);
}

export function beginTurn(
  c: Change,
  id: string | null,
  /** Null: it was seen at work, and its prompt has not been told. */
  prompt: readonly MessageId[] | null,
  evidence: Evidence,
): void {
  // On the way to a clear, what was cut does not go on.
  const carried = prompt && prompt.length > 0 && !c.session.clear ? c.session.carried : [];
  settleCuts(c, carried, prompt ?? []);
  const all = [...carried, ...(prompt ?? [])];
  const { lastHandoff, context } = c.session;
  // Done a moment ago, by the prompt of this very turn.
  const rotated = lastHandoff?.context === context.number && lastHandoff.at === c.now ? { steps: 0 } : null;
  c.update({
    turn: {
      id,
      beganAt: c.now,
      messages: all,
      prompted: prompt !== null,
      earlier: [],
      tools: 0,
      wroteTo: [],
      rotated,
      closing: null,
      halt: null,
      interrupt: null,
    },
  });
  if (carried.length > 0) c.update({ carried: [] });
  c.emit({ type: 'turn', step: 'began', turn: id, messages: all, evidence });
  endIfTold(c, evidence);
  // Told by the spool after the agent had died: the prompt did arrive, and its turn died with the agent.
  const { process } = c.session;
  if (process.state === 'exited' || process.state === 'lost')
    endTurn(c, { end: 'died', how: howItDied(process), by: null }, evidence);
}

/** A turn that was only seen so far gets its id from the first fact that has one. */
export function nameTurn(c: Change, id: string | null, evidence: Evidence): void {
  const { turn } = c.session;
  if (!turn || turn.id !== null || id === null) return;
  c.update({ turn: { ...turn, id } });
  endIfTold(c, evidence);
}

/** The turn's end may have been told before its start. */
export function endIfTold(c: Change, evidence: Evidence): void {
  const { turn, earlyEnds } = c.session;
  const early = earlyEnds.find((each) => each.id === turn?.id);
  if (!early) return;
  c.update({ earlyEnds: earlyEnds.filter((each) => each !== early) });
  endTurn(c, endOf(early), evidence);
}

const endOf = ({ end, lastWords, stillRuns, limit }: EarlyEnd): Ending =>
  end === 'failed' ? failed(lastWords, limit) : ended(lastWords, stillRuns);

export function endTurn(c: Change, told: Ending, evidence: Evidence): void {
  const { turn } = c.session;
  if (!turn) return;
  const how = underClear(c, isGuess(told) ? asFarAsTold(turn, told) : told);
  c.announce({ is: 'no-compaction', why: 'the turn ended' });
  questionOver(c, 'the turn has ended');
  const messages = [...turn.earlier.flatMap((each) => each.messages), ...turn.messages];
  const { id, prompted, interrupt } = turn;
  const end = asWeCutIt(c, [...turn.earlier.map((part) => part.id), id], how);
  const past = [
    ...turn.earlier.map((part) => ({ id: part.id, prompted: true })),
    ...(id === null ? [] : [{ id, prompted }]),
  ];
  const lastTurn: EndedTurn = { id, end: end.end, at: evidence.at, lastWords: lastWordsOf(end) };
  c.update({
    turn: null,
    ...(interrupt && interrupt.step !== 'looking' && end === how && { idleEscapeAt: c.now }),
    lastTurn,
  });
  rememberEnd(c, past, end);
  c.emit({ type: 'turn', step: 'ended', turn: id, end: end.end, lastWords: lastTurn.lastWords, evidence });
  const rotates = endsInHandoff(c.session, end);
  c.announce({ is: 'turn-ended', how: end, evidence });
  const standsStill = end.end === 'failed' && end.limit !== undefined;
  if (rotates || standsStill || end.end === 'cut-off') carryOn(c, { ...turn, messages }, end);
  else endMessages(c, { ...turn, messages }, end);
}

/** What goes on in another turn. A review that was cut does not. */
function carryOn(c: Change, turn: TakenBy, how: Ending): void {
  const reviews = turn.messages.filter((id) => c.message(id)?.review);
  const rest = turn.messages.filter((id) => !reviews.includes(id));
  if (how.end === 'cut-off') for (const id of rest) markCut(c, id, how.cut);
  c.update({ carried: [...c.session.carried, ...rest] });
  if (reviews.length > 0) endMessages(c, { ...turn, messages: reviews }, how);
}

/** Whoever was cut off by another's message stays so. What a text of our own cut goes on when the agent has that text. */
function markCut(c: Change, id: MessageId, cut: Cut | null): void {
  const message = c.message(id);
  if (message?.state.is !== 'accepted') return;
  const { cut: before, ...state } = message.state;
  if (before && before.from.kind !== 'sm') return;
  c.put({ ...message, state: cut ? { ...state, cut } : state });
}

/** The agent has what its turn was cut for: is that another's message, or a text of our own? */
function settleCuts(c: Change, carried: readonly MessageId[], prompt: readonly MessageId[]): void {
  if (carried.length === 0) return;
  const urgent = prompt.flatMap((id) => c.message(id) ?? []).filter(({ mode }) => mode === 'urgent');
  const [others] = urgent.filter(({ from }) => from.kind !== 'sm');
  if (urgent.length === 0) return;
  for (const id of carried) markCut(c, id, others ? { message: others.id, from: others.from } : null);
}

/**
 * How a turn ended at which we pressed Escape; any other interrupt was a human's. An end that nothing tells is put down
 * to an Escape that went out, not to one that is only owed.
 */
function asWeCutIt(c: Change, turns: readonly (string | null)[], how: Ending): Ending {
  const { interrupt = null } = c.session.turn ?? {};
  if (!interrupt || interrupt.step === 'looking') return how;
  if (how.end !== 'interrupted' && !(how.end === 'unknown' && interrupt.step === 'pressed')) return how;
  if (interrupt.turn !== null && !turns.includes(interrupt.turn)) return how;
  const aim = interrupt.for;
  return 'halt' in aim ? { end: 'interrupted', by: aim.halt } : { end: 'cut-off', cut: aim };
}

/** What the agent was given and never took up waits again; what we cut will not go on. */
export function giveBack(c: Change, why: string, carriedEnd: Ending | null = unknownEnd): void {
  giveBackEnqueued(c, why);
  endCuts(c, carriedEnd);
}

/** Nothing is interrupted any more, and nothing that was cut goes on; null: it does. */
export function endCuts(c: Change, carriedEnd: Ending | null): void {
  setInterrupt(c, null);
  if (carriedEnd) releaseCarried(c, carriedEnd);
}

export function giveBackEnqueued(c: Change, why: string): void {
  for (const message of c.session.enqueued.flatMap((id) => c.message(id) ?? [])) waitAgain(c, message, why);
  c.update({ enqueued: [] });
}

/** What we cut has nowhere to go on. */
export function releaseCarried(c: Change, how: Ending = unknownEnd): void {
  const { carried } = c.session;
  if (carried.length === 0) return;
  c.update({ carried: [] });
  endMessages(c, { id: c.session.lastTurn?.id ?? null, messages: carried, wroteTo: [] }, how);
}

function rememberEnd(c: Change, past: readonly Omit<PastTurn, 'ending'>[], how: Ending): void {
  const ending = withWords(how, null);
  const ends = past.map((each) => ({ ...each, ending }));
  c.update({ endedTurns: [...c.session.endedTurns, ...ends].slice(-endedTurnsKept) });
}

type TakenBy = Pick<Turn, 'id' | 'messages' | 'wroteTo'>;

/** What was cut off stays so, whatever became of the agent after that; but what was cut for a clear was cleared. */
const endingOf = (cut: Cut | undefined, how: Ending): Ending =>
  !cut || (cut.message === null && how.end === 'cleared') ? how : { end: 'cut-off', cut };

/** Their turn is over, and so are they: answered, if it ended by itself and nothing cut them off. Their senders hear it. */
export function endMessages(c: Change, { id: turn, messages: ids, wroteTo }: TakenBy, how: Ending): void {
  const over: { message: Message; ending: Ending }[] = [];
  for (const message of ids.flatMap((id) => c.message(id) ?? [])) {
    if (message.state.is !== 'accepted') continue;
    const ending = endingOf(message.state.cut, how);
    over.push({ message, ending });
    const at = c.now;
    if (ending.end === 'ended') become(c, message, { is: 'answered', at, turn });
    else become(c, message, { is: ending.end, at, why: whyNot(ending), turn });
  }
  tellTurnEnd(c, over, wroteTo, how);
  c.announce({ is: 'messages-ended', how });
}

export function wrote(c: Change, to: SessionId): undefined {
  const { turn } = c.session;
  if (turn && !turn.wroteTo.includes(to)) c.update({ turn: { ...turn, wroteTo: [...turn.wroteTo, to] } });
}

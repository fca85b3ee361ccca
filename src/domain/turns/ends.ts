// What is told of a turn's end: by hooks and transcripts, early, late, twice, or by another turn's name.
import { assertNever } from '../core/assert-never.ts';
import type { Change } from '../core/change.ts';
import { type Ending, ended, failed, interrupted, lastWordsOf } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import type { Turn } from '../core/session.ts';
import { closeExpectedClear, wasRunning } from './expected-clears.ts';
import { canEnd, endPart, endTurn, hasEnded, nameTurn } from './turns.ts';

/** Ends that wait for their start; more than these would mean that nobody tells us of starts at all. */
const earlyEndsKept = 8;

/** The agent has said all that it had to say in this turn. That is not its end yet: a hook may make it go on. */
export function turnCloses(
  c: Change,
  { turnId, lastWords }: Extract<Fact, { is: 'turn-closing' }>,
  evidence: Evidence,
): void {
  if (hasEnded(c, turnId)) return;
  nameTurn(c, turnId, evidence);
  const { turn } = c.session;
  if (turn?.id === turnId) c.update({ turn: { ...turn, closing: { lastWords, evidence } } });
}

export function turnEnded(c: Change, fact: Extract<Fact, { is: 'turn-ended' }>, evidence: Evidence): void {
  const { turnId } = fact;
  switch (fact.end) {
    case 'interrupted':
      turnInterrupted(c, turnId, evidence);
      break;
    case 'failed':
      endedByItself(c, turnId, failed(fact.lastWords, fact.limit), evidence);
      break;
    case 'ended':
      endedByItself(c, turnId, ended(fact.lastWords ?? wordsTold(c, turnId), fact.stillRuns), evidence);
      break;
    default:
      assertNever(fact);
  }
}

/** An end without words of its own has those that were told before it. */
function wordsTold({ session: { turn } }: Change, turnId: string | null): string | null {
  return turnId === null || turn?.id === turnId ? (turn?.closing?.lastWords ?? null) : null;
}

function endedByItself(c: Change, turnId: string | null, how: Ending, evidence: Evidence): void {
  if (isOfClear(c, turnId, evidence)) return;
  const { turn } = c.session;
  if (endPart(c, turnId, how, evidence)) return;
  if (turn && canEnd(c, turn, turnId)) {
    c.update({ turn: { ...turn, id: turn.id ?? turnId } });
    endTurn(c, how, evidence);
    return;
  }
  const fact = `turn ${how.end}`;
  if (turnId === null || hasEnded(c, turnId)) {
    // Every end is told twice, by the hook and by the transcript; only a second hook is worth a note.
    if (evidence.source === 'hook') c.emit({ type: 'fact-set-aside', fact, why: 'no turn is running' });
    return;
  }
  const stillRuns = how.end === 'ended' ? how.stillRuns : 0;
  const limit = how.end === 'failed' && how.limit ? { limit: how.limit } : {};
  const early = {
    id: turnId,
    end: how.end,
    at: evidence.at,
    lastWords: lastWordsOf(how),
    stillRuns,
    ...limit,
  };
  const known = c.session.earlyEnds.filter((each) => each.id !== early.id);
  c.update({ earlyEnds: [...known, early].slice(-earlyEndsKept) });
  c.emit({ type: 'fact-set-aside', fact, why: 'the start of its turn is not known yet' });
}

/** An interrupt is told by the transcript alone, so it must name the turn that runs. */
function turnInterrupted(c: Change, turnId: string | null, evidence: Evidence): void {
  const { turn } = c.session;
  if (hasEnded(c, turnId)) return;
  // What was enqueued went on at once; only what ran before it was cut.
  if (endPart(c, turnId, interrupted, evidence)) return;
  if (turn && (turnId === turn.id || (turnId !== null && canEnd(c, turn, turnId)))) {
    nameTurn(c, turnId, evidence);
    endTurn(c, interrupted, evidence);
  } else c.emit({ type: 'fact-set-aside', fact: 'turn interrupted', why: 'that turn is not running' });
}

/** A turn's end while a clear is expected; true if it is the end of nothing that was asked for since. */
function isOfClear(c: Change, turnId: string | null, evidence: Evidence): boolean {
  const [expected] = c.session.expectedClears;
  if (!expected || evidence.source !== 'hook') return false;
  const { turn } = c.session;
  const isOfOldTurn = wasRunning(expected, turn) && couldBeOf(c, turn, turnId);
  // A turn that began since tells by its end that the clear is over, whether we heard of it or not.
  const isOfNewTurn = !isOfOldTurn && turnId !== null && !hasEnded(c, turnId);
  if (isOfOldTurn) endTurn(c, ended(), evidence);
  closeExpectedClear(c);
  if (isOfNewTurn) return false;
  if (!isOfOldTurn) c.emit({ type: 'fact-set-aside', fact: 'turn ended', why: 'it is of a clear' });
  return true;
}

const couldBeOf = (c: Change, turn: Turn, turnId: string | null): boolean =>
  turnId === null ||
  turn.id === turnId ||
  turn.earlier.some(({ id }) => id === turnId) ||
  (turn.id === null && !hasEnded(c, turnId));

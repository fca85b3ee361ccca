// Clears that a client has announced: it is about to type `/clear` itself. Some agents end a `/clear` with a Stop of
// its own, which may come late, when a new message is being worked on: it must not pass for the end of that.

import type { Draft } from '../core/change.ts';
import { type Ending, ended, isGone } from '../core/ending.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { Actor, Evidence, Sender } from '../core/names.ts';
import type { ExpectedClear } from '../core/parts.ts';
import { displayName, isAlive, type Turn } from '../core/session.ts';
import { endTurn, hasEnded } from './turns.ts';

export function expectClear(d: Draft, { by }: Extract<Input, { type: 'expect-clear' }>): Refusal | undefined {
  const { session } = d;
  if (!isAlive(session)) {
    const message = `${displayName(session)} (${session.id}) has ended, and cannot be cleared. Restore it first: sm restore ${session.id}`;
    return { code: 'conflict', message };
  }
  d.update({ expectedClears: [...session.expectedClears, { by, turn: session.turn?.beganAt ?? null }] });
  d.emit({ type: 'clear-expected', by: by?.id ?? null });
  return undefined;
}

/** A turn's end while a clear is expected; true if it is the end of nothing that was asked for since. */
export function isOfClear(d: Draft, turnId: string | null, evidence: Evidence): boolean {
  const [expected] = d.session.expectedClears;
  if (!expected || evidence.source !== 'hook') return false;
  const { turn } = d.session;
  const isOfOldTurn = wasRunning(expected, turn) && couldBeOf(d, turn, turnId);
  // A turn that began since tells by its end that the clear is over, whether we heard of it or not.
  const isOfNewTurn = !isOfOldTurn && turnId !== null && !hasEnded(d, turnId);
  if (isOfOldTurn) endTurn(d, ended(), evidence);
  closeExpectedClear(d);
  if (isOfNewTurn) return false;
  if (!isOfOldTurn) d.emit({ type: 'fact-set-aside', fact: 'turn ended', why: 'it is of a clear' });
  return true;
}

const wasRunning = (expected: ExpectedClear, turn: Turn | null): turn is Turn =>
  turn !== null && turn.beganAt === expected.turn;

const couldBeOf = (d: Draft, turn: Turn, turnId: string | null): boolean =>
  turnId === null ||
  turn.id === turnId ||
  turn.earlier.some(({ id }) => id === turnId) ||
  (turn.id === null && !hasEnded(d, turnId));

/** The clear has happened, or will not any more. */
export function closeExpectedClear(d: Draft): void {
  d.update({ expectedClears: d.session.expectedClears.slice(1) });
}

/** However it ends, a turn that a clear is about to cut is told as cut by it: its last words are of no use any more. */
export function underClear(d: Draft, how: Ending): Ending {
  const isCut = d.session.expectedClears.some((expected) => wasRunning(expected, d.session.turn));
  return isCut && !isGone(how) ? clearedEnding(d) : how;
}

/** Who cleared knows it; everybody else hears by whom. Null: a human did, in the pane. */
export function clearedEnding(d: Draft): Ending {
  const { clear, expectedClears } = d.session;
  return { end: 'cleared', by: clear ? asSender(clear.by) : (expectedClears[0]?.by ?? null) };
}

/** Of who asked for something only the id is known here. */
export const asSender = (by: Actor): Extract<Sender, { kind: 'session' | 'person' }> =>
  by.kind === 'session' ? { kind: 'session', id: by.id, name: '' } : by;

// Clears that a client has announced: it is about to type `/clear` itself. Some agents end a `/clear` with a Stop of
// its own, which may come late, when a new message is being worked on: it must not pass for the end of that.

import type { Change } from '../core/change.ts';
import { type Ending, isGone } from '../core/ending.ts';
import type { Input, Refusal } from '../core/input.ts';
import { asSender } from '../core/names.ts';
import type { ExpectedClear } from '../core/parts.ts';
import { notRunning } from '../core/refusal.ts';
import { isAlive, nameAndId, type Turn } from '../core/session.ts';

export function expectClear(
  c: Change,
  { by }: Extract<Input, { type: 'expect-clear' }>,
): Refusal | undefined {
  const { session } = c;
  if (!isAlive(session))
    return notRunning(session, `${nameAndId(session)} has ended, and cannot be cleared.`);
  c.update({ expectedClears: [...session.expectedClears, { by, turn: session.turn?.beganAt ?? null }] });
  c.emit({ type: 'clear', step: 'expected', by: by?.id ?? null });
  return undefined;
}

export const wasRunning = (expected: ExpectedClear, turn: Turn | null): turn is Turn =>
  turn !== null && turn.beganAt === expected.turn;

/** The clear has happened, or will not any more. */
export function closeExpectedClear(c: Change): void {
  c.update({ expectedClears: c.session.expectedClears.slice(1) });
}

/** However it ends, a turn that a clear is about to cut is told as cut by it: its last words are of no use any more. */
export function underClear(c: Change, how: Ending): Ending {
  const isCut = c.session.expectedClears.some((expected) => wasRunning(expected, c.session.turn));
  return isCut && !isGone(how) ? clearedEnding(c) : how;
}

/** `by`: everybody else hears who cleared it; null: a human did, in the pane. */
export function clearedEnding(c: Change): Ending {
  const { clear, expectedClears } = c.session;
  return { end: 'cleared', by: clear ? asSender(clear.by) : (expectedClears[0]?.by ?? null) };
}

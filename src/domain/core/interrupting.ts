// An interrupt is a part of its turn, and ends with it at the latest.
import type { Change } from './change.ts';
import type { Interrupt } from './parts.ts';

export function setInterrupt(c: Change, interrupt: Interrupt | null): void {
  const { turn } = c.session;
  if (turn && turn.interrupt !== interrupt) c.update({ turn: { ...turn, interrupt } });
}

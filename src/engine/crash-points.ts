// Named places where a test may kill the daemon, to prove that a crash there loses nothing and doubles nothing.
// A place is of one session: how those of several come among each other is not the same from run to run.

import type { SessionId } from '../domain/core/names.ts';

type Place =
  | 'commit:before'
  | 'commit:after'
  | `effect:${string}:before`
  | `effect:${string}:after`
  | `fleet:${'publish' | 'take' | 'ask' | 'answer'}:${'before' | 'after'}`
  | `telling:${'owed' | 'begun'}`;

export type CrashPoint = `${Place}@${SessionId}`;

export type CrashPoints = (point: CrashPoint) => void;

export const noCrash: CrashPoints = () => {};

/** `armed` is a point's name, or its place alone: that of any session. `#N` behind it means the N-th time it is passed. */
export function armCrashPoint(armed: string | undefined, die: () => void): CrashPoints {
  if (!armed) return noCrash;
  const [name, count = '1'] = armed.split('#');
  let left = Number(count);
  return (point) => {
    if (point !== name && point.split('@', 1)[0] !== name) return;
    left -= 1;
    if (left === 0) die();
  };
}

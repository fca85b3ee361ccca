// Named places where a test may kill the daemon, to prove that a crash there loses nothing and doubles nothing.
export type CrashPoint =
  | 'commit:before'
  | 'commit:after'
  | `effect:${string}:before`
  | `effect:${string}:after`;

export type CrashPoints = (point: CrashPoint) => void;

export const noCrash: CrashPoints = () => {};

/** `armed` is a point's name, and `#N` behind it means the N-th time that it is passed. */
export function armCrashPoint(armed: string | undefined, die: () => void): CrashPoints {
  if (!armed) return noCrash;
  const [name, count = '1'] = armed.split('#');
  let left = Number(count);
  return (point) => {
    if (point !== name) return;
    left -= 1;
    if (left === 0) die();
  };
}

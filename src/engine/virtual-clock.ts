// For tests: a clock that stands still until it is told to go on. Timers fire in the order of their times.
import type { Clock } from '../ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Lets time pass, firing what falls due on the way. */
  advance(ms: number): void;
  /** Sets the time without firing anything, also back: what a clock should not do, and machines do. */
  jump(ms: number): void;
  /** How long each timer was set for, in the order in which they were set. */
  readonly delays: readonly number[];
  readonly pending: number;
  /** How long until the earliest timer; null: there is none. */
  readonly next: number | null;
}

export function virtualClock(start = 1_000_000): VirtualClock {
  let now = start;
  let elapsed = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const delays: number[] = [];

  const earliest = () => [...timers].sort((a, b) => a.at - b.at)[0];

  return {
    now: () => now,
    timer(delay, callback) {
      delays.push(delay);
      const timer = { at: elapsed + delay, callback };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    advance(ms) {
      const until = elapsed + ms;
      for (let next = earliest(); next && next.at <= until; next = earliest()) {
        timers.delete(next);
        now += Math.max(next.at - elapsed, 0);
        elapsed = Math.max(elapsed, next.at);
        next.callback();
      }
      now += until - elapsed;
      elapsed = until;
    },
    jump(ms) {
      now += ms;
    },
    delays,
    get pending() {
      return timers.size;
    },
    get next() {
      const timer = earliest();
      return timer ? Math.max(timer.at - elapsed, 0) : null;
    },
  };
}

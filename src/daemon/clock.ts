// The system's time as a clock that never goes back: wall time at the start plus what has really passed since.
// When the wall clock runs ahead (the machine slept) we follow it; when it is set back we do not, nor does the next daemon:
// it begins where the last one was, because all that is stored waits for times of that clock.
import type { Clock } from '../ports/clock.ts';

const sleepGap = 1_000;

export function systemClock(notBefore = 0): Clock {
  let offset = Math.max(Date.now(), notBefore) - performance.now();
  return {
    now() {
      const ahead = Date.now() - performance.now() - offset;
      if (ahead > sleepGap) offset += ahead;
      return Math.round(performance.now() + offset);
    },
    timer(delay, callback) {
      const handle = setTimeout(callback, delay);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

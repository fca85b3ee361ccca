import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 60_000;

/** Asks until it is so; how long that took, in ms. */
export async function untilTrue(ask, pauseMs = 20) {
  const began = performance.now();
  while (!(await ask())) {
    if (performance.now() - began > patienceMs) throw new Error(`it was never so: ${ask}`);
    await delay(pauseMs);
  }
  return performance.now() - began;
}

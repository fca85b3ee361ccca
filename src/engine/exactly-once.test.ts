import { describe, it } from 'vitest';
import { checkLives } from '../../test/support/exactly-once.ts';

describe('every message', () => {
  // The same lives every time: a change that breaks one is known by it. Other lives are in the tests of faults.
  it('is taken by the agent exactly once, and its sender told exactly once, whatever happens on the way', () =>
    checkLives(1_000, 1));
});

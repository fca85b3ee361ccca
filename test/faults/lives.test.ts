import { describe, it } from 'vitest';
import { checkLives } from '../support/exactly-once.ts';

describe('every message', () => {
  // Other lives every time, unless somebody wants to live one again.
  it('is taken by the agent exactly once, and its sender told exactly once, in any life', () =>
    checkLives(Number(process.env.FAULTS_LIVES ?? 4_000), Number(process.env.FAULTS_SEED ?? Date.now())));
});

import { it } from 'vitest';
import { checkHistories } from '../support/worktree-histories.ts';

const count = Number(process.env.FAULTS_HISTORIES ?? 500);

// Other histories every time, unless somebody wants to play one again.
it(`nothing of a worktree is lost in ${count} random histories`, { timeout: count * 120_000 }, () =>
  checkHistories(count, Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)),
);

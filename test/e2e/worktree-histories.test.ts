// Random histories of worktrees on real git, with removals, restores and kills in between. `npm run test:faults` plays 500.
import { it } from 'vitest';
import { checkHistories } from '../support/worktree-histories.ts';

it('nothing of a worktree is lost in a few random histories', () => checkHistories(4, 1));

// One act on a worktree, as a program of its own that can be killed.
import { archiveRef } from '../../src/worktrees/archive.ts';
import { createWorktrees } from '../../src/worktrees/worktrees.ts';
import type { Act } from './worktree-history.ts';

const { act, worktree, id, state } = JSON.parse(process.argv[2] ?? '') as Act;
const worktrees = createWorktrees({ dir: null, state });
const run =
  act === 'remove' ? worktrees.remove(worktree, id, []) : worktrees.restore(worktree, id, archiveRef(id));
run.then(
  () => process.exit(0),
  () => process.exit(1),
);

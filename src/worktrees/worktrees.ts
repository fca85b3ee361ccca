// The door of this room.
import { join } from 'node:path';
import type { Worktrees } from '../ports/worktrees.ts';
import { diff } from './diff.ts';
import { finishWorktree, planFinish } from './finish.ts';
import { look } from './look.ts';
import { makeWorktree, takeBack } from './make.ts';
import { plan } from './plan.ts';
import { planRemoval, removeWorktree } from './remove.ts';
import { restoreWorktree } from './restore.ts';
import { allowedScripts, runSetup } from './setup.ts';

export interface WorktreeSettings {
  /** A directory for all worktrees; null: beside each repository. */
  readonly dir: string | null;
  /** A directory of our own. */
  readonly state: string;
}

export function createWorktrees({ dir, state }: WorktreeSettings): Worktrees {
  const allowed = allowedScripts(join(state, 'allowed-setups'));
  return {
    plan: (request) => plan(request, { dir, isAllowed: allowed.has }),
    allow: allowed.add,
    async make(worktree, id, making) {
      try {
        await makeWorktree(worktree, id, making);
        await making.tell.made();
      } catch (error) {
        await takeBack(worktree, id).catch(() => {});
        return { fault: `its worktree could not be made: ${(error as Error).message}` };
      }
      // From here on somebody may have worked in it, so that it stays, whatever comes.
      if (!worktree.setup || worktree.setup.done) return null;
      try {
        await runSetup(worktree, id, making, join(state, 'setups'));
        await making.tell.setUp();
        return null;
      } catch (error) {
        return { fault: `its worktree could not be set up: ${(error as Error).message}` };
      }
    },
    removal: planRemoval,
    remove: removeWorktree,
    restore: restoreWorktree,
    planFinish,
    finish: finishWorktree,
    look,
    diff,
  };
}

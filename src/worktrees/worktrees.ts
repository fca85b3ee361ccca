// The door of this room.
import type { Worktrees } from '../ports/worktrees.ts';
import { look } from './look.ts';
import { makeWorktree, takeBack } from './make.ts';
import { type PlanSettings, plan } from './plan.ts';

export function createWorktrees(settings: PlanSettings): Worktrees {
  return {
    plan: (request) => plan(request, settings),
    async make(worktree, id, making) {
      try {
        await makeWorktree(worktree, id, making);
        await making.tell.made();
        return null;
      } catch (error) {
        await takeBack(worktree, id).catch(() => {});
        return { fault: `its worktree could not be made: ${(error as Error).message}` };
      }
    },
    look,
  };
}

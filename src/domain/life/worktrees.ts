// The worktree of a session: made before its agent is launched.

import type { Change } from '../core/change.ts';
import type { Worktree, WorktreeProgress } from '../core/worktree.ts';

export function worktreeProgress(c: Change, progress: WorktreeProgress): undefined {
  const { worktree } = c.session;
  if (worktree?.state.is !== 'making') return;
  if (progress.is === 'output') {
    c.emit({ type: 'worktree', step: 'output', text: progress.text });
    return;
  }
  become(c, worktree, { is: 'ready' });
  const { path, branch, base } = worktree;
  c.emit({ type: 'worktree', step: 'made', path, branch, base: base.name, commit: base.commit });
}

function become(c: Change, worktree: Worktree, state: Worktree['state']): void {
  c.update({ worktree: { ...worktree, state } });
}

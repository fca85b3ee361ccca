// The worktree of a session: made, and set up, before its agent is launched.

import type { Change } from '../core/change.ts';
import type { WorktreeProgress } from '../core/worktree.ts';

export function worktreeProgress(c: Change, progress: WorktreeProgress): undefined {
  const { worktree } = c.session;
  if (!worktree) return;
  switch (progress.is) {
    case 'output':
      c.emit({ type: 'worktree', step: 'output', text: progress.text });
      return;
    case 'made': {
      // Told again after a crash.
      if (worktree.state.is !== 'making') return;
      c.update({ worktree: { ...worktree, state: { is: 'ready' } } });
      const { path, branch, base } = worktree;
      c.emit({ type: 'worktree', step: 'made', path, branch, base: base.name, commit: base.commit });
      return;
    }
    case 'set-up':
      if (!worktree.setup) return;
      c.update({ worktree: { ...worktree, setup: { ...worktree.setup, done: true } } });
      c.emit({ type: 'worktree', step: 'set-up' });
  }
}

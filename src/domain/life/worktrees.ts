// The worktree of a session: made, and set up, before its agent is launched; removed, and brought back, when none runs.

import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Input, Refusal } from '../core/input.ts';
import { displayName, isAlive, type Session } from '../core/session.ts';
import type { FinishOrder, Worktree, WorktreeProgress } from '../core/worktree.ts';

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

type Remove = Extract<Input, { type: 'remove-worktree' }>;

export function removeWorktree(c: Change, { by, giveUp }: Remove): Refusal | undefined {
  const { worktree, id } = c.session;
  if (!worktree) return conflict(`${nameOf(c.session)} has no worktree. See: sm worktrees`);
  if (isAlive(c.session)) return conflict(`${nameOf(c.session)} works in it. End it first: sm kill ${id}`);
  if (worktree.state.is !== 'ready') return conflict(cannotNow(worktree, id));
  become(c, worktree, { is: 'removing' });
  c.emit({ type: 'worktree', step: 'removing', path: worktree.path, by });
  c.owe({ do: 'remove-worktree', giveUp });
  return undefined;
}

export function worktreeRemoved(c: Change, result: Extract<EffectResult, { of: 'remove-worktree' }>): void {
  const { worktree } = c.session;
  if (worktree?.state.is !== 'removing') return;
  const { path } = worktree;
  if (result.outcome === 'kept') {
    become(c, worktree, { is: 'ready' });
    c.emit({ type: 'worktree', step: 'kept', path, why: result.why });
    return;
  }
  become(c, worktree, { is: 'archived', ref: result.ref, at: c.now });
  c.emit({ type: 'worktree', step: 'removed', path, ref: result.ref });
}

export function restoreWorktree(c: Change): Refusal | undefined {
  const { worktree, id } = c.session;
  if (!worktree) return conflict(`${nameOf(c.session)} has no worktree. See: sm worktrees`);
  if (worktree.state.is !== 'archived') return conflict(cannotNow(worktree, id));
  const { ref } = worktree.state;
  become(c, worktree, { is: 'restoring', ref });
  c.owe({ do: 'restore-worktree', ref });
  return undefined;
}

export function worktreeRestored(c: Change, result: Extract<EffectResult, { of: 'restore-worktree' }>): void {
  const { worktree, workingDir } = c.session;
  if (worktree?.state.is !== 'restoring') return;
  if (result.outcome === 'failed') {
    become(c, worktree, { is: 'archived', ref: worktree.state.ref, at: c.now });
    c.emit({ type: 'worktree', step: 'not-restored', why: result.why });
    return;
  }
  const { path, branch, ownsBranch } = result;
  c.update({
    worktree: { ...worktree, path, branch, ownsBranch, state: { is: 'ready' } },
    // As deep in it as before.
    workingDir: `${path}${workingDir.slice(worktree.path.length)}`,
  });
  c.emit({ type: 'worktree', step: 'restored', path, branch });
}

export function finishWorktree(c: Change, order: FinishOrder): Refusal | undefined {
  const { worktree, id, turn } = c.session;
  if (!worktree) return conflict(`${nameOf(c.session)} has no worktree. See: sm worktrees`);
  if (turn) return conflict(`${nameOf(c.session)} is working. Wait until it is idle: sm wait ${id} 600`);
  if (worktree.state.is !== 'ready') return conflict(cannotNow(worktree, id));
  become(c, worktree, { is: 'finishing' });
  c.owe({ do: 'finish-worktree', order });
  return undefined;
}

export function worktreeFinished(c: Change, result: Extract<EffectResult, { of: 'finish-worktree' }>): void {
  const { worktree } = c.session;
  if (worktree?.state.is !== 'finishing') return;
  if (result.outcome === 'stopped') {
    become(c, worktree, { is: 'ready' });
    c.emit({ type: 'worktree', step: 'not-finished', why: result.why });
    return;
  }
  const { order, commit, tip } = result;
  c.update({ worktree: { ...worktree, state: { is: 'ready' }, finished: { tip, commit } } });
  c.emit({
    type: 'worktree',
    step: 'finished',
    how: order.how,
    branch: worktree.branch,
    into: order.into,
    commit,
  });
}

/** Why an agent cannot be started in it; undefined: it can, or the launch makes it. */
export function noPlaceToWork({ worktree, id }: Session): Refusal | undefined {
  if (!worktree || !isAway(worktree)) return undefined;
  return conflict(cannotNow(worktree, id));
}

const isAway = ({ state }: Worktree): boolean => ['removing', 'archived', 'restoring'].includes(state.is);

function cannotNow({ state, path }: Worktree, id: string): string {
  switch (state.is) {
    case 'making':
      return `Its worktree ${path} was never whole. Make it with: sm restore ${id}`;
    case 'ready':
      return `Its worktree ${path} is there.`;
    case 'finishing':
      return `Its work is on its way into another branch. See how it goes: sm tail ${id}`;
    case 'removing':
      return `Its worktree ${path} is being removed. See how it goes: sm tail ${id}`;
    case 'restoring':
      return `Its worktree is being brought back. See how it goes: sm tail ${id}`;
    case 'archived':
      return `Its worktree was removed. Bring it back first: sm worktrees restore ${id}`;
  }
}

function become(c: Change, worktree: Worktree, state: Worktree['state']): void {
  c.update({ worktree: { ...worktree, state } });
}

const nameOf = (session: Session): string => `${displayName(session)} (${session.id})`;
const conflict = (message: string): Refusal => ({ code: 'conflict', message });

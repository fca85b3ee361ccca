// The worktree of a session: made, and set up, before its agent is launched; removed, and brought back, when none runs.

import { assertNever } from '../core/assert-never.ts';
import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Input, Refusal } from '../core/input.ts';
import { conflict, stands } from '../core/refusal.ts';
import { isAlive, nameAndId, named, type Session } from '../core/session.ts';
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
      return;
    default:
      assertNever(progress);
  }
}

type Remove = Extract<Input, { type: 'remove-worktree' }>;

export function removeWorktree(c: Change, { by, giveUp }: Remove): Refusal | undefined {
  const { worktree } = c.session;
  if (!worktree) return noWorktree(c.session);
  if (isAlive(c.session)) {
    const itself = named(c.session);
    const data = { is: 'worktree-in-use', session: itself, by: [itself] } as const;
    return conflict(`${nameAndId(c.session)} works in it.`, data);
  }
  if (worktree.state.is !== 'ready') return cannotNow(c.session, worktree);
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
  const { worktree } = c.session;
  if (!worktree) return noWorktree(c.session);
  if (worktree.state.is !== 'archived') return cannotNow(c.session, worktree);
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
  const { worktree, turn } = c.session;
  if (!worktree) return noWorktree(c.session);
  if (turn) return stands(c.session, 'working', `${nameAndId(c.session)} is working.`);
  if (worktree.state.is !== 'ready') return cannotNow(c.session, worktree);
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
export function noPlaceToWork(session: Session): Refusal | undefined {
  const { worktree } = session;
  return worktree && isAway(worktree) ? cannotNow(session, worktree) : undefined;
}

const isAway = ({ state }: Worktree): boolean => ['removing', 'archived', 'restoring'].includes(state.is);

const cannotNow = (session: Session, { state, path }: Worktree): Refusal =>
  conflict(whyNotNow(state.is, path), { is: 'worktree', session: named(session), state: state.is });

function whyNotNow(state: Worktree['state']['is'], path: string): string {
  switch (state) {
    case 'making':
      return `Its worktree ${path} was never finished.`;
    case 'ready':
      return `Its worktree ${path} is there.`;
    case 'finishing':
      return 'Its work is on its way into another branch.';
    case 'removing':
      return `Its worktree ${path} is being removed.`;
    case 'restoring':
      return 'Its worktree is being brought back.';
    case 'archived':
      return 'Its worktree was removed.';
  }
}

function become(c: Change, worktree: Worktree, state: Worktree['state']): void {
  c.update({ worktree: { ...worktree, state } });
}

export const noWorktree = (session: Session): Refusal =>
  stands(session, 'no-worktree', `${nameAndId(session)} has no worktree.`);

import { describe, expect, it } from 'vitest';
import { killIt, launched, restoreIt, testSession } from '../../../test/support/session.ts';
import type { Input } from '../core/input.ts';
import { person } from '../core/names.ts';
import type { Worktree } from '../core/worktree.ts';

const worktree: Worktree = {
  path: '/repo.worktrees/x',
  repository: '/repo/.git',
  source: '/repo',
  branch: 'x',
  ownsBranch: true,
  base: { name: 'main', branch: 'main', commit: 'c0ffee' },
  setup: { hash: 'h', done: false },
  state: { is: 'making' },
};
const progress = (is: 'made' | 'set-up'): Input => ({ type: 'worktree-progress', progress: { is } });
const remove: Input = { type: 'remove-worktree', by: person, giveUp: ['cache/'] };
const bringBack: Input = { type: 'restore-worktree', by: person };

function made() {
  const s = testSession({ worktree, workingDir: '/repo.worktrees/x/api' });
  s.take(progress('made'));
  s.take(progress('set-up'));
  s.answer(launched);
  return s;
}
function killed() {
  const s = made();
  s.take(killIt);
  s.answer({ of: 'kill' });
  return s;
}
function archived() {
  const s = killed();
  s.take(remove);
  s.answer({ of: 'remove-worktree', outcome: 'removed', ref: 'refs/sm/archive/s1' });
  return s;
}

describe('the worktree of a session', () => {
  it('is made once, however often that is told', () => {
    const s = made();
    s.take(progress('made'));
    expect(s.eventsOf('worktree made')).toHaveLength(1);
    expect(s.state.session.worktree).toMatchObject({ state: { is: 'ready' }, setup: { done: true } });
  });

  it('is not removed under a session that is alive', () => {
    expect(made().refusal(remove).data).toMatchObject({ is: 'worktree-in-use', by: [{ id: 's1' }] });
  });

  it('is removed with what the user gave up, once, and no agent starts in it meanwhile', () => {
    const s = killed();
    s.take(remove);
    expect(s.owed.at(-1)?.effect).toEqual({ do: 'remove-worktree', giveUp: ['cache/'] });
    expect(s.refusal(remove).message).toContain('is being removed');
    expect(s.refusal(restoreIt).message).toContain('is being removed');
  });

  it('that stays can be used as before, and the history says why', () => {
    const s = killed();
    s.take(remove);
    s.answer({ of: 'remove-worktree', outcome: 'kept', why: 'in use' });
    expect(s.eventsOf('worktree kept')).toMatchObject([{ why: 'in use' }]);
    s.take(restoreIt);
    expect(s.phase).toBe('starting');
  });

  it('that is archived comes back before its session does, wherever there is room', () => {
    const s = archived();
    expect(s.refusal(restoreIt).data).toMatchObject({ is: 'worktree', state: 'archived' });
    s.take(bringBack);
    s.answer({
      of: 'restore-worktree',
      outcome: 'restored',
      path: '/repo.worktrees/x-s1',
      branch: 'x2',
      ownsBranch: true,
    });
    expect(s.state.session).toMatchObject({
      workingDir: '/repo.worktrees/x-s1/api',
      worktree: { path: '/repo.worktrees/x-s1', branch: 'x2', state: { is: 'ready' } },
    });
    s.take(restoreIt);
  });

  it('that could not be brought back is archived still', () => {
    const s = archived();
    s.take(bringBack);
    s.answer({ of: 'restore-worktree', outcome: 'failed', why: 'no room' });
    expect(s.state.session.worktree?.state).toMatchObject({ is: 'archived', ref: 'refs/sm/archive/s1' });
    s.take(bringBack);
  });
});

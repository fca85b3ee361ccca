// Bringing the work of a worktree into its base, on real git.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventView } from '../../src/protocol/event.ts';
import type { WorktreeView } from '../../src/protocol/worktree.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is } from '../support/talk.ts';

let daemon: TestDaemon;
let repo: Repository;
let id: string;
let tree: string;
let made = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
beforeEach(async () => {
  made += 1;
  repo = makeRepository(join(daemon.work, `repo-${made}`));
  const { body } = await daemon.call<{ id: string; working_dir: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: repo.root,
    worktree: { branch: 'x' },
  });
  ({ id, working_dir: tree } = body);
  await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  work('a.txt', 'a\n', 'add a');
  work('b.txt', 'b\n', 'add b');
});

const git = (...args: string[]) => repo.gitIn(tree, ...args);
function work(path: string, text: string, message: string): void {
  writeFileSync(join(tree, path), text);
  git('add', path);
  git('commit', '--quiet', '-m', message);
}
const finish = (...options: string[]) => daemon.sm('finish', id, '--yes', ...options);
const subjects = () => repo.git('log', '--format=%s', '--first-parent').split('\n');
async function distance(): Promise<(number | null)[]> {
  const { body } = await daemon.call<{ worktrees: WorktreeView[] }>('GET', '/worktrees');
  return body.worktrees.filter(({ path }) => path === tree).flatMap(({ ahead, behind }) => [ahead, behind]);
}

describe('the work of a session', () => {
  it('moves a branch forward that has not moved, and its checkout with it; then the worktree can go', async () => {
    const { code, stdout } = await finish();
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('2 commits of x will be merged into main, checked out in'),
    ]);
    expect(stdout).toContain('add a');
    expect(subjects()).toEqual(['add b', 'add a', 'first']);
    expect(readFileSync(join(repo.root, 'a.txt'), 'utf8')).toBe('a\n');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await finish()).stderr).toContain('Nothing to do: main has every commit of x.');
    await daemon.call('POST', `/sessions/${id}/kill`);
    expect((await daemon.sm('worktrees', 'remove', id, '--yes')).code).toBe(0);
  });

  it('is merged, rebased or squashed where the branch has moved', async () => {
    repo.commit('meanwhile', { 'c.txt': 'c\n' });
    expect((await finish('--merge')).code).toBe(0);
    expect(subjects().slice(0, 2)).toEqual(["Merge branch 'x' into main", 'meanwhile']);
    work('d.txt', 'd\n', 'add d');
    expect((await finish('--rebase')).code).toBe(0);
    expect(subjects()[0]).toBe('add d');
    repo.commit('again', { 'e.txt': 'e\n' });
    work('f.txt', 'f\n', 'add f');
    work('g.txt', 'g\n', 'add g');
    expect((await finish('--squash')).code).toBe(0);
    expect(subjects().slice(0, 2)).toEqual(['x', 'again']);
    expect(readFileSync(join(repo.root, 'g.txt'), 'utf8')).toBe('g\n');
    // What became one commit counts as merged: of the base, only "again" is missing here.
    expect(await distance()).toEqual([0, 1]);
    work('h.txt', 'h\n', 'add h');
    expect(await distance()).toEqual([1, 1]);
    git('reset', '--quiet', '--hard', 'HEAD~');
    await daemon.call('POST', `/sessions/${id}/kill`);
    expect((await daemon.sm('worktrees', 'remove', id, '--yes')).code).toBe(0);
  });

  it('that conflicts stops, says what to do, and leaves everything as it was', async () => {
    repo.commit('meanwhile', { 'a.txt': 'other\n' });
    const before = [repo.git('rev-parse', 'main'), git('rev-parse', 'x')];
    for (const how of ['--merge', '--squash', '--rebase']) {
      const { code, stderr } = await finish(how);
      expect(code).toBe(1);
      expect(stderr).toMatch(/hese files conflict with main: a.txt\. Nothing was changed\./);
      expect(stderr).toContain(`sm send ${id} "Merge main into your branch`);
      expect([repo.git('rev-parse', 'main'), git('rev-parse', 'x')]).toEqual(before);
      expect([repo.git('status', '--porcelain'), git('status', '--porcelain')]).toEqual(['', '']);
      expect(existsSync(join(repo.root, '.git/worktrees', `sm-${id}`, 'rebase-merge'))).toBe(false);
    }
  });

  it('does not overwrite what the user has changed in his checkout', async () => {
    repo.write('a.txt', 'mine, not committed');
    const { code, stderr } = await finish();
    expect([code, stderr]).toEqual([1, expect.stringContaining('git does not move it there')]);
    expect(readFileSync(join(repo.root, 'a.txt'), 'utf8')).toBe('mine, not committed');
    expect(subjects()).toEqual(['first']);
  });

  it('waits until it is committed, and its branch is where it was shown', async () => {
    writeFileSync(join(tree, 'a.txt'), 'not committed');
    expect((await finish()).stderr).toContain('has changes that are not committed');
    git('restore', 'a.txt');
    const stale = { how: 'merge', into: 'main', tip: git('rev-parse', 'x'), target: git('rev-parse', 'x') };
    const { body } = await daemon.call<{ after: number }>('POST', `/sessions/${id}/worktree/finish`, stale);
    const { why } = await daemon.until(id, is('worktree not-finished'), body.after);
    expect(why).toContain('main has moved meanwhile');
  });

  it('is a text for a pull request, which changes nothing', async () => {
    const { stdout } = await daemon.sm('finish', id, '--pr-text');
    expect(stdout).toMatch(/^x\n\n- add a\n- add b\n\n a.txt \| 1 \+\n/);
    expect(subjects()).toEqual(['first']);
  });

  it('is finished however the daemon dies over it', async () => {
    for (const [how, point, moved] of [
      ['rebase', 'effect:finish-worktree:after', false],
      ['merge', 'effect:finish-worktree:before', true],
      ['squash', 'effect:finish-worktree:after', true],
      ['rebase', 'effect:finish-worktree:after', true],
    ] as const) {
      const { number: before } = (await daemon.events(id)).at(-1) ?? { number: 0 };
      if (moved) repo.commit(`meanwhile ${how}`, { [`${how}.main`]: 'x' });
      work(`${how}.txt`, `w ${moved}\n`, `work ${how} ${moved}`);
      await daemon.crash();
      await daemon.start({ SM_CRASH_AT: point });
      await daemon.sm('finish', id, `--${how}`, '--yes');
      await daemon.death();
      await daemon.start();
      const end = (event: EventView) => is('worktree finished')(event) || is('worktree not-finished')(event);
      expect(await daemon.until(id, end, before)).toMatchObject({ step: 'finished', how });
      expect(readFileSync(join(repo.root, `${how}.txt`), 'utf8')).toBe(`w ${moved}\n`);
      expect(
        subjects().filter((each) => each === `work ${how} ${moved}` || each === 'x').length,
      ).toBeLessThan(2);
    }
  });
});

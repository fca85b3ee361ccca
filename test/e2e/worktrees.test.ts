// Worktrees of sessions, on real git and the scripted agent in real tmux.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorktreeView } from '../../src/protocol/worktree.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
let repo: Repository;
let made = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
beforeEach(() => {
  made += 1;
  repo = makeRepository(join(daemon.work, `repo-${made}`));
});

const start = (worktree: object, more: object = {}) =>
  daemon.call<{ id: string; working_dir: string; detail: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: repo.root,
    worktree,
    ...more,
  });

async function started(worktree: object = {}, more: object = {}) {
  const { status, body } = await start(worktree, more);
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body;
}

const listed = async (): Promise<WorktreeView[]> =>
  (await daemon.call<{ worktrees: WorktreeView[] }>('GET', '/worktrees')).body.worktrees.filter(
    ({ repository }) => repository === join(repo.root, '.git'),
  );
const head = (folder: string) => repo.gitIn(folder, 'rev-parse', 'HEAD');

describe('a session with a worktree', () => {
  it('works beside the repository, on a branch of its own, from commits that nobody has pushed', async () => {
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    for (let each = 0; each < 101; each += 1)
      repo.git('commit', '--quiet', '--allow-empty', '-m', `n${each}`);
    const name = `login-${made}`;
    const { id, working_dir } = await started({}, { name });
    expect(working_dir).toBe(join(`${repo.root}.worktrees`, `sm-${name}`));
    expect(repo.gitIn(working_dir, 'symbolic-ref', '--short', 'HEAD')).toBe(`sm/${name}`);
    expect(head(working_dir)).toBe(head(repo.root));
    expect(repo.git('status', '--porcelain')).toBe('');
    const [shown] = (await daemon.events(id)).filter(is('worktree made'));
    expect(shown).toMatchObject({ path: working_dir, branch: `sm/${name}`, base: 'main' });
    const after = (await daemon.events(id)).at(-1)?.number ?? 0;
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[bash pwd > where.txt]]' });
    await daemon.until(id, is('turn ended'), after);
    expect(readFileSync(join(working_dir, 'where.txt'), 'utf8').trim()).toBe(working_dir);
  });

  it('takes the branch and the base that are named, and stands as deep as the user', async () => {
    const first = head(repo.root);
    repo.commit('second', { 'a.txt': 'a' });
    const body = await started(
      { branch: 'fix/login', base: 'HEAD~1' },
      { working_dir: join(repo.root, 'packages/api') },
    );
    const path = join(`${repo.root}.worktrees`, 'fix-login');
    expect(body.working_dir).toBe(join(path, 'packages/api'));
    expect(head(path)).toBe(first);
    expect(existsSync(join(path, 'a.txt'))).toBe(false);
  });

  it('checks out a branch that is there, but not one that is checked out', async () => {
    repo.git('branch', 'old');
    const { working_dir } = await started({ branch: 'old' });
    expect(repo.gitIn(working_dir, 'symbolic-ref', '--short', 'HEAD')).toBe('old');
    const taken = await start({ branch: 'main' });
    expect(taken).toMatchObject({ status: 400 });
    expect(taken.body.detail).toContain(`The branch main is checked out in ${repo.root}.`);
  });

  it('is refused where there is nothing to make one from, before anything is changed', async () => {
    const plain = join(daemon.work, `plain-${made}`);
    mkdirSync(plain);
    expect((await start({}, { working_dir: plain })).body.detail).toContain('is not in a git checkout');
    expect((await start({ base: 'nowhere' })).body.detail).toContain('"nowhere" is not a commit');
    expect((await start({ branch: 'a b' })).body.detail).toContain('cannot be the name of a branch');
    expect((await start({ branch: '--force' })).body.detail).toContain('cannot be the name of a branch');
    repo.git('branch', 'old');
    expect((await start({ branch: 'old', base: 'main' })).body.detail).toContain('Leave out --base');
    expect((await start({ branch: 'old/more' })).body.detail).toContain('cannot be made beside');
    expect(existsSync(`${repo.root}.worktrees`)).toBe(false);
  });

  it('is listed with what git says of it, also when its session was killed', async () => {
    const { id, working_dir } = await started({ branch: 'x' });
    writeFileSync(join(working_dir, 'new.txt'), 'n');
    writeFileSync(join(working_dir, 'README.md'), 'changed');
    repo.gitIn(working_dir, 'commit', '--quiet', '--allow-empty', '-m', 'work');
    repo.commit('more on main');
    const shown = {
      session_id: id,
      branch: 'x',
      ahead: 1,
      behind: 1,
      changed: 1,
      untracked: 1,
      base: 'main',
    };
    expect(await listed()).toMatchObject([{ ...shown, session: 'running', path: working_dir }]);
    expect((await listed())[0]!.size_bytes).toBeGreaterThan(0);
    const { stdout } = await daemon.sm('worktrees');
    expect(stdout).toMatch(/^BRANCH +SESSION +COMMITS +FILES +SIZE +PATH\n/);
    expect(stdout).toContain('1 ahead, 1 behind main  1 changed, 1 untracked');
    await daemon.call('POST', `/sessions/${id}/kill`);
    expect(await listed()).toMatchObject([{ ...shown, session: 'killed' }]);
    await daemon.call('POST', `/sessions/${id}/restore`);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect(readFileSync(join(working_dir, 'new.txt'), 'utf8')).toBe('n');
  });

  it('is spawned by sm with a prompt, and says what it makes', async () => {
    const spawn = ['spawn', 'scripted', '[[say hi]]', '--working-dir', repo.root, '--worktree', 'by-sm'];
    const { code, stdout, stderr } = await daemon.sm(...spawn);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Making a worktree at ${repo.root}.worktrees/by-sm: branch by-sm, from main (${head(repo.root).slice(0, 9)})\n`,
    });
    expect(stdout).toContain(` in ${repo.root}.worktrees/by-sm\n`);
    expect((await daemon.sm('spawn', 'scripted', 'hi', '--base', 'main')).stderr).toContain(
      '--base goes with',
    );
  });
});

/** A hook that waits for us, so that a crash comes in the middle of a checkout. */
function holdCheckout(): { reached: () => boolean } {
  const hooks = join(repo.root, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  const sign = join(repo.root, '.git/reached');
  writeFileSync(
    join(hooks, 'post-checkout'),
    `#!/bin/sh\n[ -e ${sign} ] && exit 0\ntouch ${sign}\nexec sleep 1000\n`,
  );
  chmodSync(join(hooks, 'post-checkout'), 0o755);
  return { reached: () => existsSync(sign) };
}
const drafts = () => {
  const folder = `${repo.root}.worktrees`;
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^sm-[0-9a-f]{8}$/.test(name)) : [];
};

describe('a worktree that is being made', () => {
  it('is finished after the daemon was killed in the middle of it', async () => {
    const held = holdCheckout();
    const { body } = await start({ branch: 'x' });
    await until('the hook of the checkout', held.reached);
    expect(drafts()).toHaveLength(1);
    await daemon.crash();
    await daemon.start();
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    expect(drafts()).toEqual([]);
    expect(repo.gitIn(body.working_dir, 'status', '--porcelain', '--branch')).toBe('## x');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
  });

  it('is taken back when its session is killed meanwhile', async () => {
    const held = holdCheckout();
    const { body } = await start({ branch: 'x' });
    await until('the hook of the checkout', held.reached);
    await daemon.call('POST', `/sessions/${body.id}/kill`);
    expect(drafts()).toEqual([]);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repo.git('branch', '--list', 'x')).toBe('');
    expect(await listed()).toEqual([]);
  });

  it('is finished however the daemon dies over its launch', async () => {
    for (const point of ['effect:launch:before', 'effect:launch:after', 'commit:after#2']) {
      await daemon.crash();
      await daemon.start({ SM_CRASH_AT: point });
      const { body } = await start({ branch: `at-${point.replaceAll(':', '-')}` }).catch(() => ({
        body: null,
      }));
      await daemon.death();
      await daemon.start();
      const all = (await daemon.call<{ sessions: { id: string; working_dir: string }[] }>('GET', '/sessions'))
        .body;
      const session =
        body ?? all.sessions.find(({ working_dir }) => dirname(working_dir) === `${repo.root}.worktrees`);
      await daemon.untilSession(session!.id, ({ phase }) => phase === 'idle');
      expect(repo.gitIn(session!.working_dir, 'status', '--porcelain')).toBe('');
      expect(drafts()).toEqual([]);
    }
  });
});

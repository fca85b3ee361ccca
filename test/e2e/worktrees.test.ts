// Worktrees of sessions, on real git and the scripted agent in real tmux.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorktreeView } from '../../src/protocol/worktree.ts';
import { processStartTime } from '../../src/terminal/process-identity.ts';
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
    expect((await start({ branch: 'old/more' })).body.detail).toContain('conflicts with an existing branch');
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
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.sm-making-')) : [];
};

describe('a worktree that is being made', () => {
  it.each(['x', null])(
    'is finished after the daemon was killed in the middle of it (branch %s)',
    async (branch) => {
      const held = holdCheckout();
      const { body } = await start({ branch });
      await until('the hook of the checkout', held.reached);
      expect(drafts()).toHaveLength(1);
      await daemon.crash();
      await daemon.start();
      await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
      expect(drafts()).toEqual([]);
      expect(repo.gitIn(body.working_dir, 'status', '--porcelain', '--branch')).toBe(
        `## ${branch ?? `sm/${body.id}`}`,
      );
      expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
    },
  );

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

describe('what a fresh checkout lacks', () => {
  it('is copied if git ignores it and .worktreeinclude names it, and never anything else', async () => {
    repo.commit('ignore', {
      '.gitignore': '.env*\n!.env.example\n/cache/\nnode_modules/\nlink\n',
      '.worktreeinclude': '.env*\n!.env.prod\n/cache/keys/\nlink\nREADME.md\nunfinished.txt\n',
      '.env.example': 'tracked\n',
    });
    repo.write('.env', 'SECRET=1\n');
    chmodSync(join(repo.root, '.env'), 0o600);
    repo.write('.env.prod', 'not named');
    repo.write('packages/api/.env.local', 'LOCAL=1\n');
    repo.write('cache/keys/a.pem', 'pem');
    repo.write('cache/other', 'not named');
    repo.write('node_modules/x/index.js', 'not named');
    repo.write('unfinished.txt', 'named, but not ignored');
    symlinkSync('.env', join(repo.root, 'link'));
    const { id, working_dir } = await started({ branch: 'x' });
    const there = (path: string) => existsSync(join(working_dir, path));
    expect(readFileSync(join(working_dir, '.env'), 'utf8')).toBe('SECRET=1\n');
    expect(statSync(join(working_dir, '.env')).mode & 0o777).toBe(0o600);
    expect(readlinkSync(join(working_dir, 'link'))).toBe('.env');
    expect(['packages/api/.env.local', 'cache/keys/a.pem'].map(there)).toEqual([true, true]);
    expect(['.env.prod', 'cache/other', 'node_modules', 'unfinished.txt'].map(there)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const said = (await daemon.events(id)).filter(is('worktree output')).map(({ text }) => text);
    expect(said.join()).toContain('Copied 4 ignored files that .worktreeinclude names');
  });

  it('is never written through a link that leads out of the worktree', async () => {
    const outside = join(daemon.work, `outside-${made}`);
    mkdirSync(outside);
    repo.commit('ignore', { '.gitignore': 'conf/.env\n', '.worktreeinclude': 'conf/.env\n' });
    repo.git('branch', 'linked');
    repo.git('switch', '--quiet', 'linked');
    symlinkSync(outside, join(repo.root, 'conf'));
    repo.commit('conf is a link');
    repo.git('switch', '--quiet', 'main');
    repo.write('conf/.env', 'SECRET=1\n');
    const { id } = await started({ branch: 'linked' });
    expect(existsSync(join(outside, '.env'))).toBe(false);
    const said = (await daemon.events(id)).filter(is('worktree output')).map(({ text }) => text);
    expect(said).toContain('Not copied: conf/.env (a link is in the way)');
  });
});

describe('the set-up script of a repository', () => {
  const allow = async () => {
    const { stdout, code } = await daemon.sm('worktrees', 'allow', repo.root, '--yes');
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, 'Allowed.']);
  };
  const said = async (id: string) =>
    (await daemon.events(id))
      .filter(is('worktree output'))
      .map(({ text }) => text)
      .join('\n');

  it('runs only once this very content is allowed', async () => {
    repo.commit('script', { '.sm/worktree-setup': 'echo one; pwd > where; echo $SM_SOURCE > from\n' });
    const refused = await start({ branch: 'x' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ data: { is: 'setup-not-allowed', directory: repo.root } });
    expect(existsSync(`${repo.root}.worktrees`)).toBe(false);
    await allow();
    const { id, working_dir } = await started({ branch: 'x' });
    expect(readFileSync(join(working_dir, 'where'), 'utf8')).toBe(`${working_dir}\n`);
    expect(readFileSync(join(working_dir, 'from'), 'utf8')).toBe(`${repo.root}\n`);
    expect(await said(id)).toContain('Running .sm/worktree-setup\none');
    // What lies in the checkout counts for nothing, and another content is another script.
    repo.write('.sm/worktree-setup', 'echo evil\n');
    expect(await said((await started({ branch: 'y' })).id)).toContain('one');
    repo.commit('another script');
    expect((await start({ branch: 'z' })).status).toBe(400);
    const { working_dir: bare } = await started({ branch: 'z', setup: false });
    expect(existsSync(join(bare, 'where'))).toBe(false);
  });

  it('is allowed by a person alone', async () => {
    const { id } = await started({ branch: 'x' });
    const { status, body } = await daemon.call('POST', '/worktrees/allow', {
      hash: 'a'.repeat(64),
      requester_session_id: id,
    });
    expect([status, body.detail]).toEqual([403, expect.stringContaining('Only a person may allow')]);
  });

  it('that fails keeps the agent from starting; restore runs it again, in the same worktree', async () => {
    const script = '#!/bin/sh\necho trying >&2\n[ -e ok ] || { touch ok; exit 7; }\n';
    repo.commit('script', { '.sm/worktree-setup': script });
    await allow();
    const { body } = await start({ branch: 'x' });
    const { reason } = await daemon.until(body.id, is('session exited'));
    expect(reason).toContain('its worktree could not be set up: .sm/worktree-setup ended with 7');
    expect(await said(body.id)).toContain('trying');
    expect(await listed()).toHaveLength(1);
    await daemon.call('POST', `/sessions/${body.id}/restore`);
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    expect((await daemon.events(body.id)).filter(is('worktree set-up'))).toHaveLength(1);
  });

  it('runs again after a crash, when the one before is gone, and ends when its session is killed', async () => {
    const script = 'echo $$ >> pids; while [ ! -e go ]; do sleep 0.1; done\n';
    repo.commit('script', { '.sm/worktree-setup': script });
    await allow();
    const { body } = await start({ branch: 'x' });
    const pids = (count: number) =>
      until(`${count} runs`, () => {
        const lines = existsSync(join(body.working_dir, 'pids'))
          ? readFileSync(join(body.working_dir, 'pids'), 'utf8').split('\n').filter(Boolean)
          : [];
        return lines.length === count && lines.map(Number);
      });
    const isThere = async (pid = 0) => (await processStartTime(pid)) !== null;
    await pids(1);
    await daemon.crash();
    await daemon.start();
    const [first, second] = await pids(2);
    expect([await isThere(first), await isThere(second)]).toEqual([false, true]);
    await daemon.stop();
    expect(await isThere(second)).toBe(false);
    await daemon.start();
    const third = (await pids(3))[2];
    await daemon.call('POST', `/sessions/${body.id}/kill`);
    expect(await isThere(third)).toBe(false);
  });
});

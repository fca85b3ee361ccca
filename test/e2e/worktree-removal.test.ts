// Removing worktrees and bringing them back, on real git: what must keep one from going, and that nothing is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proc, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
let repo: Repository;
let id: string;
let tree: string;
let made = 0;
const helpers: ChildProcess[] = [];
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
afterEach(() => {
  for (const each of helpers.splice(0)) each.kill('SIGKILL');
});

/** A worktree whose session was killed. */
beforeEach(async () => {
  made += 1;
  repo = makeRepository(join(daemon.work, `repo-${made}`));
  repo.commit('ignore', { '.gitignore': '*.log\n/cache/\n' });
  const started = await daemon.call<{ id: string; working_dir: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: repo.root,
    worktree: { branch: 'x' },
  });
  ({ id, working_dir: tree } = started.body);
  await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  await daemon.call('POST', `/sessions/${id}/kill`);
});

const git = (...args: string[]) => repo.gitIn(tree, ...args);
const write = (path: string, text: string) => writeFileSync(join(tree, path), text);
const remove = () => daemon.sm('worktrees', 'remove', id, '--yes');
const restore = () => daemon.sm('worktrees', 'restore', id);
/** The refusal of the command, and that of the deletion itself, which looks for itself. */
async function refusals(): Promise<string[]> {
  const { code, stderr } = await remove();
  expect(code).toBe(1);
  const { body } = await daemon.call<{ after: number }>('POST', `/sessions/${id}/worktree/remove`, {});
  const { why } = await daemon.until(id, is('worktree kept'), body.after);
  expect(existsSync(tree)).toBe(true);
  expect(repo.git('worktree', 'list', '--porcelain')).not.toContain('locked');
  return [stderr, String(why)];
}
async function staysFor(reason: string): Promise<void> {
  for (const each of await refusals()) expect(each).toContain(reason);
}

describe('a worktree stays', () => {
  it('while its session runs, or another one works in it', async () => {
    await daemon.call('POST', `/sessions/${id}/restore`);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect((await remove()).stderr).toContain('works in it');
    expect((await daemon.call('POST', `/sessions/${id}/worktree/remove`, {})).status).toBe(409);
    await daemon.call('POST', `/sessions/${id}/kill`);
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: tree,
    });
    expect((await remove()).stderr).toContain(`in use by scripted-${body.id}`);
    await daemon.call('POST', `/sessions/${body.id}/kill`);
    expect((await remove()).code).toBe(0);
  });

  it('when a file is changed, staged, deleted, or hidden from git', async () => {
    write('README.md', 'changed\n');
    await staysFor('1 file is changed: README.md');
    git('update-index', '--assume-unchanged', 'README.md');
    expect(git('status', '--porcelain')).toBe('');
    await staysFor('1 file is changed: README.md');
    git('update-index', '--no-assume-unchanged', 'README.md');
    git('add', 'README.md');
    await staysFor('1 file is staged: README.md');
  });

  it('when a commit is neither merged nor pushed, on its branch or on none', async () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'work');
    await staysFor('1 commit is neither merged nor pushed');
    repo.git('update-ref', 'refs/remotes/origin/x', 'x');
    git('switch', '--quiet', '--detach');
    git('commit', '--quiet', '--allow-empty', '-m', 'more work');
    await staysFor('1 commit is neither merged nor pushed');
    repo.git('merge', '--quiet', git('rev-parse', 'HEAD'));
    expect((await remove()).code).toBe(0);
  });

  it('when a merge or another git command is under way', async () => {
    writeFileSync(
      join(repo.root, '.git/worktrees', `sm-${id}`, 'MERGE_HEAD'),
      `${git('rev-parse', 'HEAD')}\n`,
    );
    await staysFor('a merge is under way');
  });

  it('when a process stands in it, or holds a file of it open', async () => {
    const inside = spawn('sleep', ['1000'], { cwd: tree });
    helpers.push(inside);
    await until('the process', () => existsSync(`${proc}/${inside.pid}/cwd`));
    await staysFor(`in use by sleep (process ${inside.pid})`);
    inside.kill('SIGKILL');
    const open = spawn('sh', ['-c', 'exec 3>>open.log; cd /; exec sleep 1000'], { cwd: tree });
    helpers.push(open);
    await until(
      'the open file',
      () => existsSync(join(tree, 'open.log')) && existsSync(`${proc}/${open.pid}/fd/3`),
    );
    await staysFor(`(process ${open.pid})`);
  });

  it('when it cannot be inspected, or holds a repository of its own', async () => {
    mkdirSync(join(tree, 'cache/vendor'), { recursive: true });
    repo.gitIn(join(tree, 'cache/vendor'), 'init', '--quiet');
    await staysFor('it holds a repository of its own: cache/vendor');
    const index = join(repo.root, '.git/worktrees', `sm-${id}`, 'HEAD');
    const head = readFileSync(index);
    writeFileSync(index, 'nonsense');
    await staysFor('it cannot be inspected');
    writeFileSync(index, head);
  });

  it('when git keeps a submodule with it, which may have commits of its own', async () => {
    const library = makeRepository(join(daemon.work, `library-${id}`)).root;
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
    git('commit', '--quiet', '-m', 'a submodule');
    repo.git('merge', '--quiet', 'x');
    repo.gitIn(join(tree, 'library'), 'commit', '--quiet', '--allow-empty', '-m', 'only here');
    git('submodule', '--quiet', 'deinit', '--force', 'library');
    await staysFor('git keeps the repository of a submodule with it');
    rmSync(tree, { recursive: true });
    expect((await remove()).stderr).toContain('git keeps the repository of a submodule with it');
  });

  it('when something large would be deleted for good that nobody has seen', async () => {
    mkdirSync(join(tree, 'cache'));
    write('cache/big', '');
    truncateSync(join(tree, 'cache/big'), 11_000_000);
    const { body } = await daemon.call<{ after: number }>('POST', `/sessions/${id}/worktree/remove`, {});
    const { why } = await daemon.until(id, is('worktree kept'), body.after);
    expect(why).toBe('too large to keep, and nobody gave it up: cache/');
    const { stdout } = await remove();
    expect(stdout).toContain('Deleted for good, ignored by git: cache/ (11 MB).');
    expect(existsSync(tree)).toBe(false);
  });
});

describe('a worktree that was removed', () => {
  it('is gone with its branch, and comes back as it was, byte by byte', async () => {
    mkdirSync(join(tree, 'notes/deep'), { recursive: true });
    write('notes/deep/crlf.txt', 'a\r\nb\r\n');
    write('.gitattributes', '* text=auto\n');
    write('binary', '\0\xff');
    write('secret.log', 'ignored, but small\n');
    chmodSync(join(tree, 'secret.log'), 0o600);
    write('run.sh', '#!/bin/sh\n');
    chmodSync(join(tree, 'run.sh'), 0o755);
    writeFileSync(
      Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0x66, 0xff, 0x0a, 0x22])]),
      'odd name',
    );
    symlinkSync('../outside', join(tree, 'link'));
    const amended = git('rev-parse', 'HEAD');
    git('commit', '--quiet', '--allow-empty', '-m', 'thrown away');
    const lost = git('rev-parse', 'HEAD');
    git('reset', '--quiet', '--hard', amended);
    const { code, stdout } = await remove();
    expect([code, stdout]).toEqual([0, expect.stringContaining('7 untracked or ignored files')]);
    expect(existsSync(tree)).toBe(false);
    expect(readdirSync(`${repo.root}.worktrees`)).toEqual([]);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repo.git('branch', '--list', 'x')).toBe('');
    // Nothing that a clean-up of git takes away.
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '--quiet', '--prune=now');
    expect(repo.git('cat-file', '-t', lost)).toBe('commit');
    expect((await daemon.sm('worktrees')).stdout).not.toContain(tree);
    expect((await daemon.sm('worktrees', '--archived')).stdout).toContain(id);
    expect((await daemon.call('POST', `/sessions/${id}/restore`)).status).toBe(409);

    expect((await restore()).stdout).toContain('on branch x.');
    expect(git('status', '--porcelain', '--branch')).toContain('## x\n');
    expect(readFileSync(join(tree, 'notes/deep/crlf.txt'), 'utf8')).toBe('a\r\nb\r\n');
    expect(readFileSync(join(tree, 'binary'), 'utf8')).toBe('\0\xff');
    expect(statSync(join(tree, 'secret.log')).mode & 0o777).toBe(0o600);
    expect(statSync(join(tree, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(tree, 'link'))).toBe('../outside');
    const odd = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0x66, 0xff, 0x0a, 0x22])]);
    expect(readFileSync(odd, 'utf8')).toBe('odd name');
    await daemon.call('POST', `/sessions/${id}/restore`);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  });

  it('comes back beside what has taken its place and its branch meanwhile', async () => {
    write('mine.txt', 'mine');
    await remove();
    mkdirSync(tree);
    write('theirs.txt', 'theirs');
    repo.commit('more');
    repo.git('branch', 'x');
    const { stdout } = await restore();
    expect(stdout).toContain(`on branch x-restored-${id}.`);
    expect(readFileSync(join(`${tree}-${id}`, 'mine.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(tree)).toEqual(['theirs.txt']);
    expect((await daemon.session(id)).working_dir).toBe(`${tree}-${id}`);
    // And can go again, with what was archived before.
    expect((await remove()).code).toBe(0);
    expect(await restore()).toMatchObject({ code: 0 });
  });

  it('is kept with its commits also if somebody has deleted its directory', async () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'work');
    rmSync(tree, { recursive: true });
    expect((await remove()).stderr).toContain('1 commit is neither merged nor pushed');
    repo.git('merge', '--quiet', 'x');
    expect((await remove()).code).toBe(0);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect((await restore()).code).toBe(0);
    expect(git('log', '-1', '--format=%s')).toBe('work');
  });

  it('is asked for first, and needs the flag where nobody can be asked', async () => {
    const { code, stderr } = await daemon.sm('worktrees', 'remove', id);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('If you are sure: sm worktrees remove SESSION --yes'),
    ]);
    expect(existsSync(tree)).toBe(true);
  });

  it('is removed, or brought back, however the daemon dies over it', async () => {
    write('mine.txt', 'mine');
    for (const [act, point] of [
      ['remove', 'effect:remove-worktree:before'],
      ['restore', 'effect:restore-worktree:after'],
      ['remove', 'effect:remove-worktree:after'],
      ['restore', 'effect:restore-worktree:before'],
    ] as const) {
      const last = (await daemon.events(id)).at(-1)?.number ?? 0;
      await daemon.crash();
      await daemon.start({ SM_CRASH_AT: point });
      await daemon.call('POST', `/sessions/${id}/worktree/${act}`, {}).catch(() => {});
      await daemon.death();
      await daemon.start();
      await daemon.until(id, is(act === 'remove' ? 'worktree removed' : 'worktree restored'), last);
      await until(act, () => existsSync(join(tree, 'mine.txt')) === (act === 'restore'));
    }
    expect(git('status', '--porcelain', '--branch')).toBe('## x\n?? mine.txt');
  });
});

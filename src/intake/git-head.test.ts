import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../test/support/repository.ts';
import { repositoryName } from '../domain/core/checkout.ts';
import { checkoutAt } from './git-head.ts';

let root: string;
let app: Repository;
const git = (folder: string, ...args: string[]) => app.gitIn(folder, ...args);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sm-head-')));
  app = makeRepository(join(root, 'app'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('is the branch of the checkout around a directory', async () => {
  const repository = join(root, 'app');
  expect(await checkoutAt(join(repository, 'packages/api'))).toEqual({
    repository,
    root: repository,
    branch: 'main',
    commit: null,
  });
  git(repository, 'switch', '-q', '-c', 'feature/login');
  expect((await checkoutAt(repository))?.branch).toBe('feature/login');
});

it('of a worktree is its own branch, of the same repository', async () => {
  const repository = join(root, 'app');
  const worktree = join(root, 'beside');
  git(repository, 'worktree', 'add', '-q', '-b', 'side', worktree);
  expect(await checkoutAt(worktree)).toEqual({ repository, root: worktree, branch: 'side', commit: null });
});

it('of a worktree of a bare repository names that one', async () => {
  const bare = join(root, 'tool.git');
  git(root, 'clone', '-q', '--bare', join(root, 'app'), bare);
  git(bare, 'worktree', 'add', '-q', join(root, 'tool-main'), 'main');
  const found = await checkoutAt(join(root, 'tool-main'));
  expect(found).toMatchObject({ repository: bare, branch: 'main' });
  expect(found && repositoryName(found)).toBe('tool');
});

it('is a commit where no branch is checked out', async () => {
  const repository = join(root, 'app');
  const commit = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'switch', '-q', '--detach');
  expect(await checkoutAt(repository)).toMatchObject({ branch: null, commit: commit.slice(0, 12) });
});

it('is nothing outside of git, where nothing is, and where .git cannot be read', async () => {
  expect(await checkoutAt(root)).toBeNull();
  expect(await checkoutAt(join(root, 'nowhere'))).toBeNull();
  mkdirSync(join(root, 'broken'));
  writeFileSync(join(root, 'broken/.git'), 'rubbish');
  expect(await checkoutAt(join(root, 'broken'))).toBeNull();
});

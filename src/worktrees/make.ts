// Makes a worktree so that a crash at any point leaves nothing in doubt. It grows under a name that only this session has,
// where nobody works, and gets its own name when it is whole. What is found under the first name was never finished.
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { Making } from '../ports/worktrees.ts';
import { git, gitOr } from './git.ts';
import { copyIncluded } from './include.ts';
import { endLeftovers, markOf } from './leftovers.ts';

/** A large checkout, or one with a filter that fetches. */
export const checkoutMs = 30 * 60_000;

export async function makeWorktree(worktree: Worktree, id: string, { tell, signal }: Making): Promise<void> {
  const { path, repository, source, branch, base } = worktree;
  if (!(await isWhole(worktree, id))) {
    await takeBack(worktree, id);
    if (await stat(path).catch(() => null))
      throw new Error(`${path} appeared in the meantime. Start the session again; it gets another path.`);
    await tell.output(
      `Making a worktree at ${path}: branch ${branch}, from ${base.name} (${base.commit.slice(0, 9)})`,
    );
    await ensureBranch(worktree, id);
    const draft = draftOf(worktree, id);
    await mkdir(draft, { recursive: true });
    const here = { cwd: draft, hooks: true, limitMs: checkoutMs, signal, env: markOf(id) };
    await git(['worktree', 'add', '--quiet', '--no-checkout', draft, branch], { ...here, repository });
    await git(['checkout', '--quiet', '--force', branch, '--'], here);
    for (const line of await copyIncluded(source, draft)) await tell.output(line);
    await rename(draft, path);
  }
  // We may have died between the two.
  await git(['worktree', 'repair', path], { cwd: path, repository });
}

/** Where it grows. Its name in git is the same, and stays. */
const draftOf = ({ path }: Worktree, id: string): string => join(dirname(path), nameOf(id));
export const nameOf = (id: string): string => `sm-${id}`;
const mark = (id: string): string => `sm: for session ${id}`;

/** Whether what is there is this session's, under its final name. */
export async function isWhole({ path, repository }: Worktree, id: string): Promise<boolean> {
  const link = await readFile(join(path, '.git'), 'utf8').catch(() => '');
  return link.trim() === `gitdir: ${join(repository, 'worktrees', nameOf(id))}`;
}

/** Undoes what a try has left that did not come to its end. Nobody has worked in it. */
export async function takeBack(worktree: Worktree, id: string): Promise<void> {
  const { repository, branch, ownsBranch, base } = worktree;
  if (await isWhole(worktree, id)) return;
  const draft = draftOf(worktree, id);
  await endLeftovers(id);
  await rm(draft, { recursive: true, force: true });
  await rm(join(repository, 'worktrees', nameOf(id)), { recursive: true, force: true });
  if (!ownsBranch) return;
  // A git that was killed leaves its lock; this branch is nobody else's.
  await rm(join(repository, 'refs/heads', `${branch}.lock`), { force: true });
  if (await isOurBranch(worktree, id))
    await git(['update-ref', '-d', `refs/heads/${branch}`, base.commit], { cwd: repository, repository });
}

async function ensureBranch(worktree: Worktree, id: string): Promise<void> {
  const { repository, branch, ownsBranch, base } = worktree;
  const where = { cwd: repository, repository };
  if (!ownsBranch) return;
  if (await gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], where))
    throw new Error(
      `The branch ${branch} was created in the meantime. Start the session again with another name.`,
    );
  const none = '0'.repeat(base.commit.length);
  await git(
    ['update-ref', '--create-reflog', '-m', mark(id), `refs/heads/${branch}`, base.commit, none],
    where,
  );
}

/** Made by us, and nothing was done with it since. */
async function isOurBranch({ repository, branch, base }: Worktree, id: string): Promise<boolean> {
  const where = { cwd: repository, repository };
  const commit = await gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], where);
  if (commit !== base.commit) return false;
  const log = await gitOr(['reflog', 'show', '--format=%gs', `refs/heads/${branch}`], where);
  return log === mark(id);
}

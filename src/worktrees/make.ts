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
    await grow({ path, repository, id, at: { branch }, signal }, async (draft) => {
      for (const line of await copyIncluded(source, draft)) await tell.output(line);
    });
  }
  await settle(worktree, id);
}

/** Tells git where it is: we may have died between its name and this. */
export async function settle(
  { path, repository }: Pick<Worktree, 'path' | 'repository'>,
  id: string,
): Promise<void> {
  await git(['worktree', 'repair', path], { cwd: path, repository });
  await rm(nurseryOf(path, id), { recursive: true, force: true });
}

export interface Growth {
  readonly path: string;
  readonly repository: string;
  readonly id: string;
  readonly at: { readonly branch: string } | { readonly commit: string };
  readonly signal?: AbortSignal;
}

/** Checks it out in its draft, lets it be filled, and gives it its name. */
export async function grow(
  { path, repository, id, at, signal }: Growth,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = draftOf(path, id);
  await mkdir(draft, { recursive: true });
  const here = { cwd: draft, hooks: true, limitMs: checkoutMs, env: markOf(id), ...(signal && { signal }) };
  const [alone, what] = 'branch' in at ? [[], at.branch] : [['--detach'], at.commit];
  await git(['worktree', 'add', '--quiet', '--no-checkout', ...alone, draft, what], { ...here, repository });
  await git(['checkout', '--quiet', '--force', ...alone, what, '--'], here);
  await fill(draft);
  await rename(draft, path);
}

/** Where it grows, beside where it is to be. Nothing else is ever called so. */
const nurseryOf = (path: string, id: string): string => join(dirname(path), `.sm-making-${id}`);
/** Its name in git is the same, and stays. */
const draftOf = (path: string, id: string): string => join(nurseryOf(path, id), nameOf(id));
export const nameOf = (id: string): string => `sm-${id}`;
/** What git keeps of it. */
export const adminOf = ({ repository }: Pick<Worktree, 'repository'>, id: string): string =>
  join(repository, 'worktrees', nameOf(id));
export const mark = (id: string): string => `sm: for session ${id}`;

/** Whether what is there is this session's, under its final name. */
export async function isWhole(
  { path, repository }: Pick<Worktree, 'path' | 'repository'>,
  id: string,
): Promise<boolean> {
  const link = await readFile(join(path, '.git'), 'utf8').catch(() => '');
  return link.trim() === `gitdir: ${adminOf({ repository }, id)}`;
}

/** Where it may be: a restored one evades what has come to be in its place. */
export const placesOf = ({ path }: Worktree, id: string): readonly [string, string] => [
  path,
  `${path}-${id}`,
];

/** Undoes what a try has left that did not come to its end. Nobody has worked in it. */
export async function takeBack(
  worktree: Worktree,
  id: string,
  branchToo: 'and the branch' | 'leave the branch' = 'and the branch',
): Promise<void> {
  const { repository, branch, ownsBranch, base } = worktree;
  for (const path of placesOf(worktree, id)) if (await isWhole({ ...worktree, path }, id)) return;
  await endLeftovers(id);
  await rm(nurseryOf(worktree.path, id), { recursive: true, force: true });
  await rm(adminOf(worktree, id), { recursive: true, force: true });
  if (!ownsBranch || branchToo === 'leave the branch') return;
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

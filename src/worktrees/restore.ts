// Brings a worktree back from its archive: the commit that was checked out, its branch, and the files that no commit had.
import { stat } from 'node:fs/promises';
import type { Worktree } from '../domain/core/worktree.ts';
import type { Restoration } from '../ports/worktrees.ts';
import { putBack, readManifest } from './archive.ts';
import { git, gitOr } from './git.ts';
import { grow, isWhole, mark, placesOf, settle, takeBack } from './make.ts';
import { placeOfBranch } from './plan.ts';

export async function restoreWorktree(worktree: Worktree, id: string, ref: string): Promise<Restoration> {
  const { repository } = worktree;
  const where = { cwd: repository, repository };
  try {
    const commit = (await git(['rev-parse', '--verify', `${ref}^{commit}`], where)).trim();
    const said = await readManifest(commit, where);
    const { head, tip } = said;
    const places = placesOf(worktree, id);
    const whole = await firstWhole(worktree, id, places);
    // What an earlier try has left would keep its branch from us.
    if (whole === null) await takeBack(worktree, id, 'leave the branch');
    // Its own branch comes back also if another one was checked out.
    if (tip !== null && worktree.branch !== said.branch) await ensure(worktree, id, worktree.branch, tip);
    const branch = said.branch === null ? null : await branchFor(worktree, id, said.branch, head);
    const done = {
      branch: branch ?? worktree.branch,
      ownsBranch: worktree.ownsBranch || branch !== said.branch,
    };
    if (whole !== null) {
      await settle({ path: whole, repository }, id);
      return { path: whole, ...done };
    }
    const path = (await isThere(worktree.path)) ? places[1] : worktree.path;
    const at = branch === null ? { commit: head } : { branch };
    await grow({ path, repository, id, at }, (draft) => putBack(commit, said, draft, where));
    await settle({ path, repository }, id);
    return { path, ...done };
  } catch (error) {
    await takeBack(worktree, id, 'leave the branch').catch(() => {});
    return { fault: (error as Error).message };
  }
}

/** Where an earlier try has brought it; null: it was not through. */
async function firstWhole(
  { repository }: Worktree,
  id: string,
  places: readonly string[],
): Promise<string | null> {
  for (const path of places) if (await isWhole({ path, repository }, id)) return path;
  return null;
}

/** The branch that was checked out, or another one where that has moved on or is in use. */
async function branchFor(worktree: Worktree, id: string, name: string, head: string): Promise<string> {
  if (await ensure(worktree, id, name, head)) return name;
  const other = `${name}-restored-${id}`;
  if (await ensure(worktree, id, other, head)) return other;
  throw new Error(
    `The branches ${name} and ${other} are both in use. Rename one: git branch -m ${other} NEW-NAME`,
  );
}

/** Whether the branch is there at this commit, and free; it is made if it is not there. */
async function ensure(
  { repository }: Worktree,
  id: string,
  branch: string,
  commit: string,
): Promise<boolean> {
  const where = { cwd: repository, repository };
  const ref = `refs/heads/${branch}`;
  const present = await gitOr(['rev-parse', '--verify', '--quiet', ref], where);
  if (present !== null) return present === commit && (await placeIsOurs(repository, id, branch));
  const none = '0'.repeat(commit.length);
  return (await gitOr(['update-ref', '--create-reflog', '-m', mark(id), ref, commit, none], where)) !== null;
}

/** Nobody else has it checked out: an earlier try that did not finish may have. */
async function placeIsOurs(repository: string, id: string, branch: string): Promise<boolean> {
  const place = await placeOfBranch(repository, branch);
  return place === null || (await isWhole({ path: place, repository }, id));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

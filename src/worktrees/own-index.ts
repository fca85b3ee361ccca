// An index of our own, as the last commit has it: the user's can be told to look away. It lies in the git directory of the
// worktree, so that what a crash leaves of it goes with the worktree.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, git } from './git.ts';

export async function withOwnIndex<Result>(
  admin: string,
  where: GitOptions,
  use: (own: GitOptions) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(admin, 'sm-index-'));
  try {
    const own = { ...where, env: { GIT_INDEX_FILE: join(folder, 'index') } };
    await git(['read-tree', 'HEAD'], own);
    return await use(own);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// What git and the disk say of a worktree.
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { WorktreeLook } from '../ports/worktrees.ts';
import { type GitOptions, git, gitOr } from './git.ts';

const nothing: WorktreeLook = {
  sizeBytes: null,
  branch: null,
  ahead: null,
  behind: null,
  changed: null,
  untracked: null,
  fault: null,
};

export async function look({ path, base, finished }: Worktree): Promise<WorktreeLook> {
  if (!(await lstat(path).catch(() => null))) return { ...nothing, fault: 'it is not there' };
  const where = { cwd: path };
  try {
    const [sizeBytes, branch, status, [ahead, behind]] = await Promise.all([
      sizeOf(path),
      gitOr(['symbolic-ref', '--quiet', '--short', 'HEAD'], where),
      git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'], where),
      distance(base.branch ?? base.commit, finished, where),
    ]);
    const entries = status.split('\0').filter(Boolean);
    const untracked = entries.filter((entry) => entry.startsWith('?? ')).length;
    return { sizeBytes, branch, ahead, behind, changed: entries.length - untracked, untracked, fault: null };
  } catch (error) {
    return { ...nothing, fault: (error as Error).message };
  }
}

/** How many commits it has that the base has not, and the reverse. What a squash has made one commit of, both have. */
async function distance(
  base: string,
  finished: Worktree['finished'],
  where: GitOptions,
): Promise<[ahead: number | null, behind: number | null]> {
  const count = (...args: string[]) => gitOr(['rev-list', '--count', ...args, '--'], where);
  const counts = await count('--left-right', `HEAD...${base}`);
  if (counts === null) return [null, null];
  const [ahead = 0, behind = 0] = counts.split(/\s+/).map(Number);
  const squashed = finished ? Number(await count(finished.tip, `^${base}`)) : 0;
  if (!finished || squashed === 0) return [ahead, behind];
  const has = async (later: string, earlier: string) =>
    (await gitOr(['merge-base', '--is-ancestor', earlier, later], where)) !== null;
  if (!(await has('HEAD', finished.tip)) || !(await has(base, finished.commit))) return [ahead, behind];
  return [ahead - squashed, behind - ((await has('HEAD', finished.commit)) ? 0 : 1)];
}

/** What lies in a directory takes so much on the disk. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    const { blocks, nlink } = await lstat(path);
    // What has several names is there once, and mostly not for this one.
    if (nlink === 1 || entry.isDirectory()) bytes += blocks * 512;
    if (entry.isDirectory()) bytes += await sizeOf(path);
  }
  return bytes;
}

// What git and the disk say of a worktree.
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { WorktreeLook } from '../ports/worktrees.ts';
import { git, gitOr } from './git.ts';

const nothing: WorktreeLook = {
  sizeBytes: null,
  branch: null,
  ahead: null,
  behind: null,
  changed: null,
  untracked: null,
  fault: null,
};

export async function look({ path, base }: Worktree): Promise<WorktreeLook> {
  if (!(await lstat(path).catch(() => null))) return { ...nothing, fault: 'it is not there' };
  const where = { cwd: path };
  try {
    const [sizeBytes, branch, status, counts] = await Promise.all([
      sizeOf(path),
      gitOr(['symbolic-ref', '--quiet', '--short', 'HEAD'], where),
      git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'], where),
      gitOr(['rev-list', '--left-right', '--count', `HEAD...${base.branch ?? base.commit}`, '--'], where),
    ]);
    const entries = status.split('\0').filter(Boolean);
    const untracked = entries.filter((entry) => entry.startsWith('?? ')).length;
    const [ahead = null, behind = null] = counts === null ? [] : counts.split(/\s+/).map(Number);
    return { sizeBytes, branch, ahead, behind, changed: entries.length - untracked, untracked, fault: null };
  } catch (error) {
    return { ...nothing, fault: (error as Error).message };
  }
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

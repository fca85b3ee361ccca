// Which repository a directory belongs to, without asking git: that would cost more than all the rest.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The path of the git directory that all worktrees of a repository share; outside of any, the directory itself. */
export function repositoryOf(directory: string): string {
  const start = realPath(directory);
  for (let folder = start; ; folder = dirname(folder)) {
    const git = gitDirectoryIn(folder);
    if (git !== undefined) return git;
    if (folder === dirname(folder)) return start;
  }
}

function gitDirectoryIn(folder: string): string | undefined {
  const path = join(folder, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat && path;
  // A worktree: `gitdir: REPOSITORY/.git/worktrees/NAME`.
  const target = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? path : realPath(resolve(folder, target).replace(/\/worktrees\/[^/]+$/, ''));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a directory that has gone is still where somebody works
  }
}

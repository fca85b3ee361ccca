// Which workspace a path belongs to, without asking git: the directory with `.git` in it, so that every worktree is a
// workspace of its own. Real paths, because two names of one place must not have two locks.
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a lock taken in this directory is on: its git root, or the directory itself where there is none. */
export async function workspaceOf(directory: string): Promise<string> {
  const place = await realPath(directory);
  return (await gitRoot(place)) ?? place;
}

/** Every workspace that a path is in: one where git is, else each directory above it might be locked as such. */
export async function workspacesAround(path: string): Promise<string[]> {
  const place = await realPath(path);
  const root = await gitRoot(place);
  return root === null ? [...upwards(place)] : [root];
}

async function gitRoot(place: string): Promise<string | null> {
  for (const folder of upwards(place)) {
    // A file in a worktree or a submodule.
    if (await stat(join(folder, '.git')).catch(() => null)) return folder;
  }
  return null;
}

function* upwards(place: string): Iterable<string> {
  for (let folder = place; ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

/** Of what does not exist yet, as much as does. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

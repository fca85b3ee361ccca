// Copies what git ignores and `.worktreeinclude` names, such as `.env`: a fresh checkout does not have it.
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, gitOr } from './git.ts';

const list = '.worktreeinclude';

/** What was done, in lines for the user. */
export async function copyIncluded(source: string, target: string): Promise<string[]> {
  const paths = await included(source);
  if (paths.length === 0) return [];
  const failed: string[] = [];
  for (const path of paths) {
    const why = await copy(source, target, path);
    if (why !== null) failed.push(`Not copied: ${path} (${why})`);
  }
  const copied = paths.length - failed.length;
  return [`Copied ${copied} ignored ${copied === 1 ? 'file' : 'files'} that ${list} names`, ...failed];
}

/** Files that both the list names and git ignores: what is only untracked is somebody's unfinished work. */
export async function included(source: string): Promise<string[]> {
  const rules = join(source, list);
  if (!(await stat(rules).catch(() => null))?.isFile()) return [];
  const where = { cwd: source };
  const named = await git(['ls-files', '--others', '--ignored', '-z', `--exclude-from=${rules}`], where);
  if (named === '') return [];
  const ignored = (await gitOr(['check-ignore', '-z', '--stdin'], { ...where, input: named })) ?? '';
  // A repository in the repository is shown as a folder, and is not for us to copy.
  return ignored.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
}

/** Why it was not copied. Nothing is overwritten, and no link of the checkout leads us out of it. */
async function copy(source: string, target: string, path: string): Promise<string | null> {
  try {
    if (!(await makeFolders(target, dirname(path)))) return 'a link is in the way';
    const [from, to] = [join(source, path), join(target, path)];
    const found = await lstat(from);
    if (found.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (found.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else return 'it is not a file';
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? 'it is there already' : (code ?? message);
  }
}

/** The folders of a path below `root`; false: one of them is no folder. */
export async function makeFolders(root: string, path: string): Promise<boolean> {
  if (path === '.' || path === '') return true;
  if (!(await makeFolders(root, dirname(path)))) return false;
  const folder = join(root, path);
  const found = await lstat(folder).catch(() => null);
  if (found) return found.isDirectory();
  await mkdir(folder);
  return true;
}

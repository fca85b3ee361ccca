// Where an agent in a sandbox works, and what of its repository it may write: enough to commit in a worktree, and nothing by
// which git could be made to run a program outside.
import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Sandbox } from '../domain/core/options.ts';
import type { Place } from '../ports/sandbox.ts';
import { type Mount, readsOnly, writes } from './bwrap.ts';

type Fault = { readonly fault: string };

/** What must not be in a directory that the agent has; and where none may be. */
export interface Hidden {
  readonly paths: readonly string[];
  readonly state: string;
}

export async function sandboxAround(
  { workingDir, addDirs, worktree }: Place,
  hidden: Hidden,
): Promise<Sandbox | Fault> {
  const at = worktree
    ? { top: worktree.path, repository: worktree.repository }
    : await checkoutAt(workingDir);
  if (!worktree && at.top !== null && at.top !== (await realpath(workingDir)))
    return {
      fault: `In a sandbox, an agent works at the top of its checkout. Start it in ${at.top}, or with --worktree.`,
    };
  const top = worktree ? worktree.path : await realpath(workingDir);
  const all = [top, ...(await Promise.all(addDirs.map((dir) => realpath(dir))))];
  for (const root of all) {
    const inside =
      hidden.paths.find((each) => isIn(each, root)) ?? (isIn(root, hidden.state) ? hidden.state : null);
    if (inside !== null)
      return { fault: `A sandbox cannot have ${root}: ${inside} is what it keeps the agent from.` };
  }
  const roots = all.filter((root, i) =>
    all.every((other, j) => i === j || !isIn(root, other) || (root === other && i < j)),
  );
  return { roots, repository: at.repository };
}

/** Also the place itself. */
export const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

async function checkoutAt(cwd: string): Promise<{ top: string | null; repository: string | null }> {
  const [top, common] = ((await git(cwd, 'rev-parse', '--show-toplevel', '--git-common-dir')) ?? '').split(
    '\n',
  );
  if (!top || !common) return { top: null, repository: null };
  return { top: await realpath(top), repository: await realpath(resolve(cwd, common)) };
}

export async function workspaceMounts({ roots, repository }: Sandbox): Promise<Mount[]> {
  const top = roots[0] as string;
  return [...roots.map(writes), ...(repository === null ? [] : await gitMounts(top, repository))];
}

/**
 * In the first checkout of a repository git is only read: whoever can make files in its git directory can name another
 * configuration there, and with it programs. A linked worktree has a directory of its own for what changes.
 */
async function gitMounts(top: string, repository: string): Promise<Mount[]> {
  const link = join(top, '.git');
  const shared = [readsOnly(repository), ...(await alternates(repository))];
  if (!(await stat(link)).isFile()) return [...shared, readsOnly(link)];
  const own = (await readFile(link, 'utf8')).replace(/^gitdir: /, '').trim();
  if (!isIn(own, join(repository, 'worktrees')))
    throw new Error(`${link} does not lead to the repository that it led to before`);
  const parts = ['objects', 'objects/info', 'refs', 'logs'].map((name) => join(repository, name));
  await Promise.all(parts.map((part) => mkdir(part, { recursive: true })));
  return [
    ...shared,
    readsOnly(link),
    // It says where else objects are: that would open whatever it names at the next start.
    ...parts.map((part) => (part.endsWith('/info') ? readsOnly(part) : writes(part))),
    writes(own),
    readsOnly(join(own, 'commondir')),
    readsOnly(join(own, 'gitdir')),
    // A configuration of the worktree alone: none, or the one that it has.
    ...((await stat(join(own, 'config.worktree')).catch(() => null))
      ? [readsOnly(join(own, 'config.worktree'))]
      : [{ at: join(own, 'config.worktree'), is: 'read', from: '/dev/null' } as const]),
  ];
}

/** Where git finds objects that it does not keep itself. */
async function alternates(repository: string): Promise<Mount[]> {
  const said = await readFile(join(repository, 'objects/info/alternates'), 'utf8').catch(() => '');
  const places = said.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const found = places.map((place) => resolve(repository, 'objects', place));
  const there = await Promise.all(found.map((place) => stat(place).catch(() => null)));
  return found.filter((_, i) => there[i]).map(readsOnly);
}

/** The user's own configuration is not to be seen: his name is told. */
export async function gitIdentity(cwd: string): Promise<Record<string, string>> {
  const [name, email] = await Promise.all(['user.name', 'user.email'].map((key) => git(cwd, 'config', key)));
  return {
    ...(name && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

function git(cwd: string, ...args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('git', ['-C', cwd, ...args], { timeout: 10_000 }, (error, out) =>
      resolve(error ? null : out.trim()),
    );
  });
}

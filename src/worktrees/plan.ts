// Where a worktree is to be, on which branch and from which commit. Nothing is changed here.
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Base } from '../domain/core/worktree.ts';
import type { Plan, WorktreeRequest } from '../ports/worktrees.ts';
import { GitError, git, gitOr } from './git.ts';
import { scriptIn } from './setup.ts';

export interface PlanSettings {
  readonly isAllowed: (hash: string) => Promise<boolean>;
  /** A directory for all worktrees; null: beside each repository. */
  readonly dir: string | null;
}

type Fault = { readonly fault: string };

export async function plan(
  request: WorktreeRequest,
  { dir, isAllowed }: PlanSettings,
): Promise<Plan | Fault> {
  const { directory: cwd, sessionId } = request;
  try {
    const asked = ['rev-parse', '--show-toplevel', '--git-common-dir', '--show-prefix'];
    const [source, common = '', deep = ''] = ((await gitOr(asked, { cwd })) ?? '').split('\n');
    if (!source)
      return fault(
        `${cwd} is not in a git checkout, so there is no worktree to make. Start without --worktree, or name another directory.`,
      );
    const repository = await realpath(resolve(cwd, common));
    const prefix = deep.replace(/\/$/, '');
    const [base, branch, checkouts] = await Promise.all([
      baseOf(cwd, request.base),
      branchOf(cwd, repository, request),
      listed(repository),
    ]);
    if ('fault' in base) return base;
    if ('fault' in branch) return branch;
    const checkedOut = checkouts.find((each) => each.branch === `refs/heads/${branch.name}`)?.path;
    if (checkedOut !== undefined)
      return fault(
        `The branch ${branch.name} is checked out in ${checkedOut}. Name another branch, or start the session there.`,
      );
    const place = await placeOf({ repository, dir, branch: branch.name, id: sessionId, checkouts });
    if ('fault' in place) return place;
    const commit = branch.commit ?? base.commit;
    const script = request.setup ? await scriptIn(cwd, commit) : null;
    const worktree = {
      path: place.path,
      repository,
      source,
      branch: branch.name,
      ownsBranch: branch.commit === null,
      base: { ...base, commit },
      setup: script && { hash: script.hash, done: false },
      state: { is: 'making' } as const,
    };
    const isThere = prefix !== '' && (await hasDirectory(cwd, commit, prefix));
    const unallowed = script && !(await isAllowed(script.hash)) ? script : null;
    return { worktree, workingDir: isThere ? join(place.path, prefix) : place.path, unallowed };
  } catch (error) {
    if (error instanceof GitError) return fault(`git cannot be asked about ${cwd}: ${error.message}`);
    throw error;
  }
}

/** What the user names, or stands on: as it is here, pushed or not. */
async function baseOf(cwd: string, named: string | null): Promise<Base | Fault> {
  if (named?.startsWith('-')) return fault(`"${named}" is not a commit, branch or tag.`);
  const commit = await gitOr(['rev-parse', '--verify', '--quiet', `${named ?? 'HEAD'}^{commit}`], { cwd });
  if (!commit)
    return fault(
      named === null
        ? `${cwd} has no commit yet, so there is nothing to begin from. Commit something first.`
        : `"${named}" is not a commit, branch or tag here. See: git branch --all`,
    );
  const here = await gitOr(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd });
  if (named === null) return { name: here ?? commit.slice(0, 12), branch: here, commit };
  const isBranch = await gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${named}`], { cwd });
  return { name: named, branch: isBranch ? named : null, commit };
}

interface Branch {
  readonly name: string;
  /** Of one that is there already. */
  readonly commit: string | null;
}

async function branchOf(cwd: string, repository: string, request: WorktreeRequest): Promise<Branch | Fault> {
  const { branch: named, base, sessionName, sessionId } = request;
  const commitOf = (name: string) =>
    gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${name}^{commit}`], { cwd, repository });
  if (named === null) {
    const wish = `sm/${slug(sessionName ?? sessionId)}`;
    const free = (await commitOf(wish)) === null && (await isFree(cwd, wish));
    return { name: free ? wish : `${wish}-${sessionId}`, commit: null };
  }
  if (named.startsWith('-') || (await gitOr(['check-ref-format', '--branch', named], { cwd })) !== named)
    return fault(`"${named}" cannot be the name of a branch. Give a prompt with spaces in quotes.`);
  const commit = await commitOf(named);
  if (commit !== null && base !== null)
    return fault(
      `The branch ${named} already exists, so it has a base. Leave out --base, or name a new branch.`,
    );
  if (commit === null && !(await isFree(cwd, named)))
    return fault(`A branch ${named} conflicts with an existing branch. Name another one.`);
  return { name: named, commit };
}

/** Whether no branch stands in its way as a folder, or in it as one: `a` and `a/b` cannot both be. */
async function isFree(cwd: string, name: string): Promise<boolean> {
  const parents = name
    .split('/')
    .slice(0, -1)
    .map((_, at, all) => all.slice(0, at + 1).join('/'));
  const refs = [...parents.map((each) => `refs/heads/${each}`), `refs/heads/${name}/**`];
  const found = await git(['for-each-ref', '--format=%(refname)', ...refs], { cwd });
  return !found
    .split('\n')
    .some(
      (ref) => ref.startsWith(`refs/heads/${name}/`) || parents.some((each) => ref === `refs/heads/${each}`),
    );
}

export async function placeOfBranch(repository: string, branch: string): Promise<string | null> {
  for (const each of await listed(repository)) if (each.branch === `refs/heads/${branch}`) return each.path;
  return null;
}

/** What git knows of the worktrees of a repository. */
export async function listed(repository: string): Promise<{ path: string; branch: string | null }[]> {
  const list = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository, repository });
  return list
    .split('\0\0')
    .map((entry) => entry.split('\0'))
    .filter(([first]) => first?.startsWith('worktree '))
    .map((lines) => ({
      path: (lines[0] as string).slice('worktree '.length),
      branch: lines.find((line) => line.startsWith('branch '))?.slice('branch '.length) ?? null,
    }));
}

interface Place {
  readonly repository: string;
  readonly dir: string | null;
  readonly branch: string;
  readonly id: string;
  readonly checkouts: readonly { readonly path: string }[];
}

/** Beside the repository, or in the configured directory; never inside a checkout of it. */
async function placeOf({ repository, dir, branch, id, checkouts }: Place): Promise<{ path: string } | Fault> {
  const main = basename(repository) === '.git' ? dirname(repository) : repository;
  const name = basename(main).replace(/\.git$/, '') || 'repository';
  const parent = dir === null ? `${main.replace(/\.git$/, '')}.worktrees` : join(homeOf(dir, main), name);
  const wish = join(await realPath(parent), slug(branch));
  const path = (await isThere(wish)) ? `${wish}-${id}` : wish;
  for (const each of [repository, ...checkouts.map((one) => one.path)])
    if (isInside(path, await realPath(each)))
      return fault(
        `The worktree would be inside ${each}, where it would be in the way. Set worktrees.dir in the configuration to another place.`,
      );
  return { path };
}

const homeOf = (dir: string, main: string): string =>
  dir === '~' || dir.startsWith('~/')
    ? join(homedir(), dir.slice(1))
    : isAbsolute(dir)
      ? dir
      : resolve(main, dir);

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Of what does not exist yet, as much as does. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return dirname(path) === path ? path : join(await realPath(dirname(path)), basename(path));
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function hasDirectory(cwd: string, commit: string, prefix: string): Promise<boolean> {
  return (await gitOr(['cat-file', '-t', `${commit}:${prefix}`], { cwd })) === 'tree';
}

/** A name that is good as a branch and as a directory. */
export function slug(text: string): string {
  const plain = text
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/\.lock$/, '');
  return plain.slice(0, 80) || 'work';
}

const fault = (text: string): Fault => ({ fault: text });

// What would be lost with a worktree. It does not believe the index, which can be told to look away: every tracked file is
// read again and compared with the last commit.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { GivenUp } from '../ports/worktrees.ts';
import { type GitOptions, git, gitBytes, gitOr } from './git.ts';
import { included } from './include.ts';
import { adminOf } from './make.ts';
import { withOwnIndex } from './own-index.ts';
import { type BytePath, bytePath, bytePaths, type Entry, shown, walk } from './walk.ts';

/** Of what git ignores, more than this in one place is taken for something that can be made again. */
const mostIgnoredBytes = 10_000_000;

export interface Inspection {
  /** Why it must stay. */
  readonly faults: readonly string[];
  readonly head: string;
  /** What HEAD names; null: a commit alone. */
  readonly branch: string | null;
  /** Where the branch is that was made for it; null: it is gone. */
  readonly tip: string | null;
  /** Files that no commit has, which are to be kept. */
  readonly kept: readonly Entry[];
  /** What git ignores and is too much to keep. */
  readonly givenUp: readonly GivenUp[];
}

const inspectMs = 10 * 60_000;

/** `folder` is where it lies now. Throws where it cannot be told. */
export async function inspect(worktree: Worktree, id: string, folder: string): Promise<Inspection> {
  const where = { cwd: folder, limitMs: inspectMs };
  const admin = adminOf(worktree, id);
  const found = (await git(['rev-parse', '--absolute-git-dir'], where)).trim();
  if (found !== admin) throw new Error(`${folder} belongs to ${found}, not to this session`);
  const { head, branch, tip, faults: lone } = await inspectCommits(worktree, id, where);
  const faults = [...(await underWay(admin)), ...(await hidden(where)), ...(await staged(where)), ...lone];
  const { changed, untracked, ignored } = await status(admin, where);
  if (changed.length > 0) faults.push(`${count(changed.length, 'file')} changed: ${some(changed)}`);
  const entries = await listAll(folder, faults);
  const files = entries.filter(({ stats }) => stats.isFile() || stats.isSymbolicLink());
  const named = new Set((await included(folder)).map(bytePath));
  const byPath = new Map(files.map((each) => [each.path, each]));
  const places = ignored.map((path) => placeOf(path, files, byPath));
  const isTooMuch = ({ bytes, files: all }: Place) =>
    bytes > mostIgnoredBytes && !all.every(({ path }) => named.has(path));
  const loose = new Set(untracked);
  return {
    faults,
    head,
    branch,
    tip,
    kept: [
      ...files.filter(({ path }) => loose.has(path)),
      ...places.flatMap((place) =>
        isTooMuch(place) ? place.files.filter(({ path }) => named.has(path)) : place.files,
      ),
    ],
    givenUp: places.filter(isTooMuch).map(({ path, bytes }) => ({ path: shown(path), bytes })),
  };
}

/** What it has in commits, which can be told also where its directory is gone. */
export async function inspectCommits(
  worktree: Worktree,
  id: string,
  where: GitOptions,
): Promise<Pick<Inspection, 'head' | 'branch' | 'tip' | 'faults'>> {
  const head = (await git(['rev-parse', '--verify', 'HEAD^{commit}'], where)).trim();
  const branch = await gitOr(['symbolic-ref', '--quiet', '--short', 'HEAD'], where);
  const tip = await gitOr(
    ['rev-parse', '--verify', '--quiet', `refs/heads/${worktree.branch}^{commit}`],
    where,
  );
  // Git keeps it there also when the submodule is checked out no more, with commits that nobody else may have.
  const modules = (await isThere(join(adminOf(worktree, id), 'modules')))
    ? ['git keeps the repository of a submodule with it']
    : [];
  return { head, branch, tip, faults: [...modules, ...(await loneCommits(worktree, where, head, tip))] };
}

interface Place {
  readonly path: BytePath;
  readonly bytes: number;
  readonly files: readonly Entry[];
}

/** What lies in an ignored folder, or the one ignored file. */
function placeOf(path: BytePath, all: readonly Entry[], byPath: ReadonlyMap<BytePath, Entry>): Place {
  const one = byPath.get(path);
  const files = path.endsWith('/') ? all.filter((each) => each.path.startsWith(path)) : one ? [one] : [];
  return { path, files, bytes: files.reduce((sum, { stats }) => sum + stats.size, 0) };
}

/** Nothing in it may be a world of its own, which git does not look into. */
async function listAll(folder: string, faults: string[]): Promise<Entry[]> {
  const { dev } = await lstat(folder);
  const entries: Entry[] = [];
  for await (const entry of walk(folder)) {
    entries.push(entry);
    if (entry.path.endsWith('/.git'))
      faults.push(`it holds a repository of its own: ${shown(entry.path.slice(0, -5))}`);
    if (entry.stats.dev !== dev) throw new Error(`another file system is mounted at ${shown(entry.path)}`);
  }
  return entries;
}

const operations: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  sequencer: 'a sequence of commits',
  BISECT_LOG: 'a bisection',
  'index.lock': 'a git command',
};

async function underWay(admin: string): Promise<string[]> {
  const found = await Promise.all(
    Object.keys(operations).map(async (name) => ((await isThere(join(admin, name))) ? [name] : [])),
  );
  return [...new Set(found.flat().map((name) => `${operations[name]} is under way`))];
}

async function hidden(where: GitOptions): Promise<string[]> {
  const sparse = await gitOr(['config', '--type=bool', '--get', 'core.sparseCheckout'], where);
  return sparse === 'true' ? ['it is a sparse checkout, which sm cannot inspect'] : [];
}

async function staged(where: GitOptions): Promise<string[]> {
  const paths = bytePaths(
    await gitBytes(['diff-index', '--cached', '--name-only', '-z', 'HEAD', '--'], where),
  );
  return paths.length === 0 ? [] : [`${count(paths.length, 'file')} staged: ${some(paths)}`];
}

/** Commits that nothing would name any more but the archive: not in the base, not pushed, not on another branch. */
async function loneCommits(
  { branch, finished }: Worktree,
  where: GitOptions,
  head: string,
  tip: string | null,
): Promise<string[]> {
  const others = [`--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const count = async (...not: string[]) =>
    Number(
      await git(
        ['rev-list', '--count', head, ...(tip ? [tip] : []), '--not', ...others, ...not, '--'],
        where,
      ),
    );
  // What became one commit of the base is there, though git cannot know it.
  const squashed =
    finished &&
    Number(await git(['rev-list', '--count', finished.commit, '--not', ...others, '--'], where)) === 0;
  const lone = await count(...(squashed ? [finished.tip] : []));
  return lone === 0
    ? []
    : [`${lone === 1 ? '1 commit is' : `${lone} commits are`} neither merged nor pushed`];
}

/** By an index of our own, so that each file is read. */
const status = (admin: string, where: GitOptions) =>
  withOwnIndex(admin, where, async (own) => {
    const listing = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'];
    const found = bytePaths(await gitBytes(['status', ...listing, '--ignore-submodules=none'], own));
    const having = (mark: string) =>
      found.filter((each) => each.startsWith(mark)).map((each) => each.slice(3));
    const [untracked, ignored] = [having('?? '), having('!! ')];
    const changed = found.filter((each) => !/^(\?\?|!!) /.test(each)).map((each) => each.slice(3));
    return { changed, untracked, ignored };
  });

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? ' is' : 's are'}`;
const some = (paths: readonly BytePath[]): string =>
  paths.slice(0, 3).map(shown).join(', ') + (paths.length > 3 ? ', …' : '');
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

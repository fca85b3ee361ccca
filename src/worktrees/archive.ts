// Keeps all that a worktree has, as one commit under a ref of ours: its parents are the commits, its tree is the last commit
// with every file in it that no commit has. Files are kept byte by byte: no filter of git touches them.
import { chmod, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Worktree } from '../domain/core/worktree.ts';
import { type GitOptions, git, gitBytes, gitOr } from './git.ts';
import { makeFolders } from './include.ts';
import type { Inspection } from './inspect.ts';
import { adminOf } from './make.ts';
import { withOwnIndex } from './own-index.ts';
import { bytePaths, type Entry, onDisk, shown } from './walk.ts';

/** What git cannot say of it, in the text of the commit. */
const manifest = z.object({
  sm: z.literal(1),
  /** What was checked out: a branch, or a commit alone. */
  head: z.string(),
  branch: z.string().nullable(),
  /** Where the branch was that it was made for; null: it was gone. */
  tip: z.string().nullable(),
  /** Files that no commit had, with their permissions. */
  kept: z.array(z.tuple([z.string(), z.number()])),
});
export type Manifest = z.infer<typeof manifest>;

const self = {
  GIT_AUTHOR_NAME: 'sm',
  GIT_AUTHOR_EMAIL: 'sm@localhost',
  GIT_COMMITTER_NAME: 'sm',
  GIT_COMMITTER_EMAIL: 'sm@localhost',
};

/** One for each session: a later archive has the earlier one as a parent. */
export const archiveRef = (id: string): string => `refs/sm/archive/${id}`;

/** Returns the commit. */
export async function archive(
  worktree: Worktree,
  id: string,
  folder: string,
  found: Inspection,
  where: GitOptions = { cwd: folder, limitMs: 10 * 60_000 },
): Promise<string> {
  const ref = archiveRef(id);
  const earlier = await gitOr(['rev-parse', '--verify', '--quiet', ref], where);
  const tree = await treeWith(adminOf(worktree, id), folder, found.kept, where);
  const parents = [
    found.head,
    ...(await otherCommits(worktree, where, found)),
    ...(earlier ? [earlier] : []),
  ];
  const said: Manifest = {
    sm: 1,
    head: found.head,
    branch: found.branch,
    tip: found.tip,
    kept: found.kept.map(({ path, stats }) => [path, stats.mode & 0o7777]),
  };
  const text = `Worktree ${worktree.branch} of session ${id}\n\n${JSON.stringify(said)}\n`;
  const commit = [
    'commit-tree',
    tree,
    ...[...new Set(parents)].flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
  ];
  const made = (await git(commit, { ...where, input: text, env: self })).trim();
  await git(['update-ref', ref, made, earlier ?? '0'.repeat(made.length)], where);
  return made;
}

/** Of the branch, and those that only its own log still names: an amended commit, one that was reset away. */
async function otherCommits(
  { branch }: Worktree,
  where: GitOptions,
  { head, tip }: Inspection,
): Promise<string[]> {
  const logs = ['HEAD', ...(tip === null ? [] : [`refs/heads/${branch}`])];
  const logged = await Promise.all(logs.map((name) => gitOr(['rev-list', '-g', name, '--'], where)));
  const own = await git(['for-each-ref', '--format=%(objectname)', 'refs/worktree/'], where);
  const named = [...logged.map((each) => each ?? ''), own].flatMap((each) =>
    each.split('\n').filter(Boolean),
  );
  const all = [...new Set([...(tip === null ? [] : [tip]), ...named])];
  if (all.length === 0) return [];
  const lone = await git(['rev-list', '--stdin', '--not', head], { ...where, input: `${all.join('\n')}\n` });
  const left = new Set(lone.split('\n'));
  const heads = all.filter((each) => left.has(each));
  return heads.length < 2 ? heads : independent(heads, where);
}

/** Without those that another one has before it. */
async function independent(commits: readonly string[], where: GitOptions): Promise<string[]> {
  const parents = await git(['rev-list', '--no-walk', '--parents', '--stdin'], {
    ...where,
    input: commits.join('\n'),
  });
  const isParent = new Set(parents.split('\n').flatMap((line) => line.split(' ').slice(1)));
  return commits.filter((each) => !isParent.has(each));
}

/** The tree of the last commit, with these files in it. */
const treeWith = (admin: string, folder: string, files: readonly Entry[], where: GitOptions) =>
  withOwnIndex(admin, where, async (own): Promise<string> => {
    const lines: Buffer[] = [];
    for (const { path, stats, blob } of await blobsOf(folder, files, where)) {
      const mode = stats.isSymbolicLink() ? '120000' : stats.mode & 0o100 ? '100755' : '100644';
      lines.push(Buffer.from(`${mode} ${blob}\t`), Buffer.from(path, 'latin1'), Buffer.from([0]));
    }
    // These names are good here, whatever another system would make of them.
    const anyName = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'];
    const input = Buffer.concat(lines);
    if (input.length > 0) await git([...anyName, 'update-index', '-z', '--index-info'], { ...own, input });
    return (await git(['write-tree'], own)).trim();
  });

async function blobsOf(folder: string, files: readonly Entry[], where: GitOptions) {
  const write = ['hash-object', '-w', '--no-filters'];
  // The list of paths is by lines, so that some names cannot stand in it.
  const isPlain = ({ path, stats }: Entry) => stats.isFile() && !/^"|[\r\n]/.test(path);
  const plain = files.filter(isPlain);
  const input = Buffer.from(plain.map(({ path }) => `${path}\n`).join(''), 'latin1');
  const hashes =
    plain.length === 0 ? [] : (await git([...write, '--stdin-paths'], { ...where, input })).split('\n');
  const blobs = plain.map((each, at) => ({ ...each, blob: hashes[at] as string }));
  for (const each of files.filter((file) => !isPlain(file))) {
    const place = onDisk(folder, each.path);
    const content = each.stats.isSymbolicLink() ? await readlink(place, 'buffer') : await readFile(place);
    blobs.push({ ...each, blob: (await git([...write, '--stdin'], { ...where, input: content })).trim() });
  }
  return blobs;
}

export async function readManifest(commit: string, where: GitOptions): Promise<Manifest> {
  const text = await git(['cat-file', 'commit', commit], where);
  return manifest.parse(JSON.parse(text.trimEnd().split('\n').at(-1) ?? ''));
}

/** Puts the files that no commit had back where they were. */
export async function putBack(
  commit: string,
  { kept }: Manifest,
  folder: string,
  where: GitOptions,
): Promise<void> {
  const modes = new Map(kept);
  const entries = bytePaths(await gitBytes(['ls-tree', '-r', '-z', '--full-tree', commit], where))
    .map((line) => /^(\d+) blob ([0-9a-f]+)\t([\s\S]*)$/.exec(line))
    .flatMap((match) => (match && modes.has(match[3] as string) ? [match] : []));
  for (const [, kind, blob = '', path = ''] of entries) {
    const content = await gitBytes(['cat-file', 'blob', blob], where);
    if (!(await makeFolders(folder, dirname(path))))
      throw new Error(`a link is in the way of ${shown(path)}`);
    await put(onDisk(folder, path), content, kind === '120000', modes.get(path) ?? 0o644);
  }
}

async function put(place: Buffer, content: Buffer, isLink: boolean, mode: number): Promise<void> {
  if (isLink) return symlink(content, place);
  await writeFile(place, content, { flag: 'wx', mode: 0o600 });
  await chmod(place, mode);
}

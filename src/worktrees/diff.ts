// What has changed in a checkout: commits since its base, what is not committed, and files that git does not know. However
// much that is, only so much of it is read and told.
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import type { ChangedFile, Diff, DiffRequest } from '../ports/diff.ts';
import { type Counted, readCounts, readPatches } from './changes.ts';
import { GitError, type GitOptions, git, gitBytes, gitOr } from './git.ts';
import { type BytePath, bytePath, bytePaths, onDisk, shown } from './walk.ts';

/** Of all files together. Who wants more of one asks for it alone. */
const most = {
  files: 500,
  lines: 6_000,
  linesOfOne: 1_500,
  bytes: 2_000_000,
  bytesOfLoose: 256_000,
  listing: 10_000_000,
};
const mostOfOne = { ...most, lines: 20_000, linesOfOne: 20_000, bytesOfLoose: 2_000_000 };
const longestLine = 1_000;
const limitMs = 20_000;

/** Nothing that the repository names is run, and every name means itself. */
const quietly = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '-M'];
const literally = { GIT_LITERAL_PATHSPECS: '1' };

export async function diff({ directory, base, path }: DiffRequest): Promise<Diff | { fault: string }> {
  const budget = path === null ? most : mostOfOne;
  try {
    const root = (await git(['rev-parse', '--show-toplevel'], { cwd: directory })).replace(/\n$/, '');
    const where: GitOptions = { cwd: root, limitMs, env: literally };
    const commit = await comparedWith(base, where);
    const against = commit ?? (await git(['hash-object', '-t', 'tree', '--stdin'], where)).trim();
    const only = path === null ? [] : [bytePath(path)];
    const listing = ['diff', ...quietly, '--raw', '--numstat', '-z', against, '--', ...only.map(shown)];
    const listed = await gitBytes(listing, { ...where, mostBytes: most.listing });
    if (listed.length >= most.listing) return { fault: 'more files have changed than can be listed' };
    const counted = readCounts(listed);
    const chosen = affordable(counted.slice(0, budget.files), budget);
    const patches = await patchesOf(chosen, against, where, budget.bytes);
    const tracked = counted.slice(0, budget.files).map((each) => tell(each, patches.get(each.path)));
    const left = budget.lines - chosen.reduce((sum, each) => sum + linesOf(each), 0);
    const loose = await looseFiles(root, only, where);
    const room = Math.max(0, budget.files - tracked.length);
    const untracked = await readAll(root, loose.slice(0, room), left, budget);
    const more = counted.length - tracked.length + loose.length - untracked.length;
    return { root, commit, files: [...tracked, ...untracked], more };
  } catch (error) {
    if (error instanceof GitError) return { fault: error.message };
    throw error;
  }
}

/** Null: nothing was committed yet. */
async function comparedWith(base: string | null, where: GitOptions): Promise<string | null> {
  const head = await gitOr(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], where);
  if (base === null || head === null) return head;
  return (await gitOr(['merge-base', '--', base, head], where)) ?? head;
}

const linesOf = ({ lines }: Counted): number => (lines ? lines.added + lines.removed : 0);

/** Small ones first in their order, until it is enough. */
function affordable(files: readonly Counted[], { lines, linesOfOne }: typeof most): Counted[] {
  let left = lines;
  return files.filter((file) => {
    const needs = linesOf(file);
    if (!file.lines || needs > linesOfOne || needs > left) return false;
    left -= needs;
    return true;
  });
}

async function patchesOf(
  files: readonly Counted[],
  against: string,
  where: GitOptions,
  mostBytes: number,
): Promise<ReadonlyMap<BytePath, string>> {
  if (files.length === 0) return new Map();
  const names = files.flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]);
  const args = ['diff', ...quietly, '--raw', '--patch', '-z', against, '--', ...names.map(shown)];
  const output = await gitBytes(args, { ...where, mostBytes });
  return readPatches(output, output.length >= mostBytes);
}

function tell({ path, oldPath, is, lines }: Counted, patch: string | undefined): ChangedFile {
  const names = { path: shown(path), oldPath: oldPath === null ? null : shown(oldPath), is };
  if (!lines) return { ...names, added: null, removed: null, patch: null, leftOut: 'binary' };
  const hasHunks = lines.added + lines.removed > 0;
  const known = patch === undefined ? (hasHunks ? null : '') : shortLines(patch);
  return { ...names, ...lines, patch: known, leftOut: known === null ? 'long' : null };
}

async function looseFiles(
  root: string,
  only: readonly BytePath[],
  where: GitOptions,
): Promise<readonly BytePath[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...only.map(shown)];
  const listed = await gitBytes(args, { ...where, cwd: root, mostBytes: most.bytes });
  const paths = bytePaths(listed);
  // The last name of a list that was cut is not whole.
  return listed.length >= most.bytes ? paths.slice(0, -1) : paths;
}

async function readAll(
  root: string,
  paths: readonly BytePath[],
  lines: number,
  { linesOfOne, bytesOfLoose }: typeof most,
): Promise<ChangedFile[]> {
  let left = lines;
  const files: ChangedFile[] = [];
  for (const path of paths) {
    const file = await readLoose(root, path, left > 0 ? bytesOfLoose : 0, Math.min(left, linesOfOne));
    left -= file.patch === null ? 0 : (file.added ?? 0);
    files.push(file);
  }
  return files;
}

/** One that git does not know: all of it is new. */
async function readLoose(
  root: string,
  path: BytePath,
  mostBytes: number,
  mostLines: number,
): Promise<ChangedFile> {
  const none = { path: shown(path), oldPath: null, is: 'untracked', added: null, removed: 0 } as const;
  const content = await contentOf(onDisk(root, path), mostBytes).catch(() => 'no-file' as const);
  if (typeof content === 'string') return { ...none, patch: null, leftOut: content };
  if (content.subarray(0, 8_000).includes(0)) return { ...none, patch: null, leftOut: 'binary' };
  const text = content.toString('utf8');
  const lines = text.replace(/\n$/, '').split('\n');
  if (text === '') return { ...none, added: 0, patch: '', leftOut: null };
  if (lines.length > mostLines) return { ...none, added: lines.length, patch: null, leftOut: 'long' };
  const end = text.endsWith('\n') ? '' : '\n\\ No newline at end of file';
  const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}${end}\n`;
  return { ...none, added: lines.length, patch: shortLines(patch), leftOut: null };
}

/** Neither follows a link nor waits for a pipe that somebody has put there. */
async function contentOf(place: Buffer, mostBytes: number): Promise<Buffer | 'long' | 'no-file'> {
  const stats = await lstat(place);
  if (stats.isSymbolicLink()) return readlink(place, 'buffer');
  if (!stats.isFile()) return 'no-file';
  if (stats.size > mostBytes) return 'long';
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A line of a megabyte is for programs. */
const shortLines = (patch: string): string =>
  patch.length < longestLine
    ? patch
    : patch.replace(/^.*$/gm, (line) =>
        line.length > longestLine ? `${line.slice(0, longestLine)}…` : line,
      );

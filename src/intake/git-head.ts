// Which branch a directory is on, without a process of git: from `.git`, which is a file in a worktree, and its HEAD.
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Checkout } from '../domain/core/checkout.ts';
import { readRegular } from './regular-file.ts';

/** Null: it is in no checkout, or that cannot be read. */
export async function checkoutAt(directory: string): Promise<Checkout | null> {
  const place = await realpath(directory).catch(() => null);
  if (place === null) return null;
  for (let folder = place; ; folder = dirname(folder)) {
    const found = await checkoutIn(folder);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return null;
  }
}

/** Undefined: nothing of git is there. */
async function checkoutIn(root: string): Promise<Checkout | null | undefined> {
  const dotGit = join(root, '.git');
  const kind = await stat(dotGit).catch(() => null);
  if (!kind) return undefined;
  const own = kind.isDirectory() ? dotGit : await pointedTo(dotGit, /^gitdir: (.*)/, root);
  const head = own === null ? null : await firstLine(join(own, 'HEAD'));
  if (own === null || head === null) return null;
  const shared = await pointedTo(join(own, 'commondir'), /^(.*)/, own);
  const [, branch = null] = /^ref: refs\/heads\/(.+)$/.exec(head) ?? [];
  const commit = branch === null ? head.slice(0, 12) : null;
  return { repository: shared === null ? root : mainOf(shared), root, branch, commit };
}

const mainOf = (shared: string): string => (basename(shared) === '.git' ? dirname(shared) : shared);

async function pointedTo(file: string, form: RegExp, from: string): Promise<string | null> {
  const [, path] = form.exec((await firstLine(file)) ?? '') ?? [];
  return path ? resolve(from, path) : null;
}

/** Longer than any path, and than any name of a branch. */
const longest = 16_384;

async function firstLine(file: string): Promise<string | null> {
  const text = await readRegular(file, longest);
  return text === null ? null : (text.split('\n', 1)[0] ?? '').trim();
}

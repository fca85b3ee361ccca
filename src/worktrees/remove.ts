// Takes a worktree away, in steps that a crash cannot confuse: the name of its directory says how far it came.
//   PATH              as it was
//   .sm-removing-ID   nobody finds it by its name any more; it is looked at, and may go back
//   .sm-deleting-ID   everything in it is kept, so that it can be deleted
import { chmod, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Worktree } from '../domain/core/worktree.ts';
import type { Removal, RemovalPlan } from '../ports/worktrees.ts';
import { archive, archiveRef } from './archive.ts';
import { gitOr } from './git.ts';
import { type Inspection, inspect, inspectCommits } from './inspect.ts';
import { endLeftovers } from './leftovers.ts';
import { adminOf, isWhole, settle } from './make.ts';
import { placeOfBranch } from './plan.ts';
import { type User, usersOf } from './users.ts';
import { onDisk, walk } from './walk.ts';

/** `giveUp`: what git ignores and is too much to keep, as the user saw it. */
export async function removeWorktree(
  worktree: Worktree,
  id: string,
  giveUp: readonly string[],
): Promise<Removal> {
  const { path } = worktree;
  const aside = join(dirname(path), `.sm-removing-${id}`);
  const condemned = join(dirname(path), `.sm-deleting-${id}`);
  if (!(await isThere(condemned))) {
    if (!(await isThere(aside))) {
      if (await isDone(worktree, id)) return { removed: archiveRef(id) };
      if (!(await isThere(path))) return removeGone(worktree, id, condemned);
      if (!(await isWhole(worktree, id)))
        return { kept: `${path} is not there, or not what was made for it` };
      const why = await reasons(worktree, id, path, giveUp);
      if (why !== null) return { kept: why };
      // Git must not forget it while it is elsewhere. It is locked already if we died here before.
      await gitOr(['worktree', 'lock', '--reason', 'sm removes it', path], { cwd: path });
      await rename(path, aside);
    }
    const why = await unlessKept(worktree, id, aside, giveUp);
    if (why !== null) {
      await goBack(worktree, id, aside);
      return { kept: why };
    }
    await rename(aside, condemned);
  }
  return finish(worktree, id, condemned);
}

/** Somebody has deleted its directory: what git still has of it is kept. */
async function removeGone(worktree: Worktree, id: string, condemned: string): Promise<Removal> {
  try {
    const found = await lookGone(worktree, id);
    if (found.faults.length > 0) return { kept: found.faults.join('; ') };
    await archive(
      worktree,
      id,
      worktree.repository,
      { ...found, kept: [], givenUp: [] },
      gitDirOf(worktree, id),
    );
    await mkdir(condemned, { recursive: true });
    return finish(worktree, id, condemned);
  } catch (error) {
    return { kept: `it cannot be inspected: ${(error as Error).message}` };
  }
}

const lookGone = (worktree: Worktree, id: string) => inspectCommits(worktree, id, gitDirOf(worktree, id));
const gitDirOf = ({ repository }: Worktree, id: string) => ({
  cwd: repository,
  repository: adminOf({ repository }, id),
});

/** We died when all was done but told. */
async function isDone({ path, repository }: Worktree, id: string): Promise<boolean> {
  if ((await isThere(path)) || (await isThere(adminOf({ repository }, id)))) return false;
  return (
    (await gitOr(['rev-parse', '--verify', '--quiet', archiveRef(id)], { cwd: repository, repository })) !==
    null
  );
}

/** Why it must stay; null: nothing of it would be lost, and it is kept under a ref. */
async function unlessKept(
  worktree: Worktree,
  id: string,
  folder: string,
  giveUp: readonly string[],
): Promise<string | null> {
  try {
    await endLeftovers(id);
    const users = await inUse(folder);
    if (users !== null) return users;
    const found = await inspect(worktree, id, folder);
    const why = reasonsIn(found, giveUp);
    if (why === null) await archive(worktree, id, folder, found);
    return why;
  } catch (error) {
    return `it cannot be inspected: ${(error as Error).message}`;
  }
}

export async function planRemoval(worktree: Worktree, id: string): Promise<RemovalPlan> {
  const nothing = { kept: { count: 0, bytes: 0 }, givenUp: [] };
  try {
    if (!(await isThere(worktree.path)))
      return { ...nothing, why: (await lookGone(worktree, id)).faults.join('; ') || null };
    const users = await inUse(worktree.path);
    const found = await inspect(worktree, id, worktree.path);
    const { kept, givenUp } = found;
    const why = [
      users,
      reasonsIn(
        found,
        givenUp.map(({ path }) => path),
      ),
    ].filter((each) => each !== null);
    const bytes = kept.reduce((sum, { stats }) => sum + stats.size, 0);
    return { why: why.join('; ') || null, kept: { count: kept.length, bytes }, givenUp };
  } catch (error) {
    return { ...nothing, why: `it cannot be inspected: ${(error as Error).message}` };
  }
}

async function reasons(worktree: Worktree, id: string, folder: string, giveUp: readonly string[]) {
  try {
    return (await inUse(folder)) ?? reasonsIn(await inspect(worktree, id, folder), giveUp);
  } catch (error) {
    return `it cannot be inspected: ${(error as Error).message}`;
  }
}

function reasonsIn({ faults, givenUp }: Inspection, giveUp: readonly string[]): string | null {
  const unseen = givenUp.filter(({ path }) => !giveUp.includes(path)).map(({ path }) => path);
  const all = [
    ...faults,
    ...(unseen.length > 0 ? [`too large to keep, and nobody gave it up: ${unseen.join(', ')}`] : []),
  ];
  return all.length === 0 ? null : all.join('; ');
}

export async function inUse(folder: string): Promise<string | null> {
  const users = await usersOf(folder);
  if (users === null) return 'the system does not tell which processes use it';
  return users.length === 0 ? null : `in use by ${users.slice(0, 5).map(userText).join(', ')}`;
}

const userText = ({ name, pid }: User): string => `${name} (process ${pid})`;

/** It is back with its name; the rest is for git's own view of it, which the next one who looks can mend. */
async function goBack(worktree: Worktree, id: string, aside: string): Promise<void> {
  const { path } = worktree;
  await rename(aside, path);
  await settle(worktree, id).catch(() => {});
  await gitOr(['worktree', 'unlock', path], { cwd: path }).catch(() => {});
}

/** From here on it is removed, whatever comes: the archive has everything. The condemned directory says so, and goes last. */
async function finish(worktree: Worktree, id: string, condemned: string): Promise<Removal> {
  const ref = archiveRef(id);
  try {
    await rm(adminOf(worktree, id), { recursive: true, force: true });
    // A branch that stays does no harm.
    if (worktree.ownsBranch) await deleteBranch(worktree, ref).catch(() => {});
    await deleteAll(condemned);
    return { removed: ref };
  } catch (error) {
    return {
      kept: `all of it is archived, but ${condemned} could not be deleted: ${(error as Error).message}. Remove it again`,
    };
  }
}

/** Only where the archive has it: who has moved it meanwhile works with it. */
async function deleteBranch({ repository, branch }: Worktree, archived: string): Promise<void> {
  const where = { cwd: repository, repository };
  const tip = await gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], where);
  if (tip === null || (await placeOfBranch(repository, branch)) !== null) return;
  if ((await gitOr(['merge-base', '--is-ancestor', tip, archived], where)) === null) return;
  await gitOr(['update-ref', '-d', `refs/heads/${branch}`, tip], where);
}

/** Also what its owner has made read-only. */
async function deleteAll(folder: string): Promise<void> {
  const all = { recursive: true, force: true } as const;
  try {
    await rm(folder, all);
  } catch {
    await chmod(folder, 0o700);
    for await (const { path, stats } of walk(folder)) {
      if (stats.isDirectory()) await chmod(onDisk(folder, path), 0o700);
    }
    await rm(folder, all);
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

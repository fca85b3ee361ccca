// Brings the work of a worktree into another branch. What would conflict is known before anything is changed: merges are
// computed without a checkout, and a branch that is checked out is only moved forward, by git itself.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishOrder, Worktree } from '../domain/core/worktree.ts';
import type { Finish, FinishPlan, FinishRequest } from '../ports/worktrees.ts';
import { GitError, git, gitOr } from './git.ts';
import { leftoversEnd, markOf } from './leftovers.ts';
import { look } from './look.ts';
import { adminOf, checkoutMs } from './make.ts';
import { placeOfBranch } from './plan.ts';

type Fault = { readonly fault: string };

/** What would happen. Changes nothing. */
export async function planFinish(
  worktree: Worktree,
  { into: named }: FinishRequest,
): Promise<FinishPlan | Fault> {
  const { path, repository, branch } = worktree;
  const into = named ?? worktree.base.branch;
  if (into === null)
    return fault(
      `Its work began at ${worktree.base.name}, which is no local branch. Say into which branch it is to go.`,
    );
  const where = { cwd: repository, repository };
  try {
    const seen = await look(worktree);
    if (seen.fault !== null) return fault(`The worktree ${path} cannot be looked at: ${seen.fault}`);
    if (seen.branch !== branch)
      return fault(
        `${path} is on ${seen.branch ?? 'no branch'}, not on ${branch}. Switch back first: git -C ${path} switch ${branch}`,
      );
    if (seen.changed)
      return fault(
        `${path} has changes that are not committed. Commit them, or let its agent do it, and try again.`,
      );
    const tip = (await git(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`], where)).trim();
    const target = await gitOr(['rev-parse', '--verify', '--quiet', `refs/heads/${into}^{commit}`], where);
    if (target === null)
      return fault(`There is no local branch ${into}. Say into which branch the work is to go.`);
    const log = await git(['log', '--reverse', '--format=%h %s', `${target}..${tip}`, '--'], where);
    const commits = log.split('\n').filter(Boolean);
    const stat =
      commits.length === 0
        ? ''
        : (await git(['diff', '--stat', `${target}...${tip}`, '--'], where)).trimEnd();
    const merged = await mergeTree(target, tip, where);
    return {
      branch,
      into,
      tip,
      target,
      commits,
      stat,
      conflicts: 'conflicts' in merged ? merged.conflicts : [],
      checkout: await placeOfBranch(repository, into),
    };
  } catch (error) {
    if (error instanceof GitError) return fault(`git cannot be asked about ${path}: ${error.message}`);
    throw error;
  }
}

/** Does it, or goes on with it; the branches must be where the user saw them. */
export async function finishWorktree(worktree: Worktree, id: string, order: FinishOrder): Promise<Finish> {
  // A git that a dead daemon left behind is at work in a checkout of the user's: it is not broken off.
  await leftoversEnd(id);
  const where = { cwd: worktree.repository, repository: worktree.repository };
  const at = (ref: string) => gitOr(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], where);
  try {
    const done = await whatIsDone(worktree, order);
    if (done !== null) return done;
    if ((await at(`refs/heads/${order.into}`)) !== order.target)
      return { why: `${order.into} has moved meanwhile. Nothing was changed; look at it again.` };
    const result = order.how === 'rebase' ? await rebase(worktree, id, order) : await merge(worktree, order);
    if ('why' in result) return result;
    const forward = await moveForward(worktree, id, order, result.commit);
    return forward === null ? result : { why: forward };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

/** What it came to, if we died after the last step. */
async function whatIsDone({ repository, branch }: Worktree, order: FinishOrder): Promise<Finish | null> {
  const { how, into, target, tip } = order;
  const where = { cwd: repository, repository };
  const at = (name: string) => git(['rev-parse', '--verify', `refs/heads/${name}^{commit}`], where);
  const has = async (later: string, earlier: string) =>
    (await gitOr(['merge-base', '--is-ancestor', earlier, later], where)) !== null;
  const now = (await at(into)).trim();
  if (now === target) return null;
  switch (how) {
    case 'merge':
      return (await has(now, tip)) ? { commit: now, tip } : null;
    case 'rebase': {
      const rebased = (await at(branch)).trim();
      // Where the branch was ahead already, it has not moved.
      const isIn = (await has(rebased, target)) && (await has(now, rebased));
      return isIn ? { commit: now, tip: rebased } : null;
    }
    case 'squash': {
      const search = ['--fixed-strings', `--grep=${squashMark(tip)}`, `${target}..${now}`];
      const commit = (await git(['log', '--format=%H', ...search, '--'], where)).split('\n')[0];
      return commit ? { commit, tip } : null;
    }
  }
}

interface Where {
  readonly cwd: string;
  readonly repository: string;
}
const squashMark = (tip: string): string => `Squashed-from: ${tip}`;

async function merge(
  { repository, branch }: Worktree,
  { how, into, tip, target }: FinishOrder,
): Promise<Finish> {
  const where = { cwd: repository, repository };
  const isAhead = (await gitOr(['merge-base', '--is-ancestor', target, tip], where)) !== null;
  if (how === 'merge' && isAhead) return { commit: tip, tip };
  const merged = await mergeTree(target, tip, where);
  if ('conflicts' in merged) return { why: conflictText(into, merged.conflicts) };
  const subjects = (await git(['log', '--reverse', '--format=%s', `${target}..${tip}`, '--'], where))
    .trimEnd()
    .split('\n');
  const text =
    how === 'merge'
      ? `Merge branch '${branch}' into ${into}\n`
      : `${subjects.length === 1 ? subjects[0] : branch}\n\n${subjects.length === 1 ? '' : `${subjects.map((each) => `- ${each}`).join('\n')}\n\n`}${squashMark(tip)}\n`;
  const parents = how === 'merge' ? ['-p', target, '-p', tip] : ['-p', target];
  const commit = (
    await git(['commit-tree', merged.tree, ...parents, '-F', '-'], { ...where, input: text })
  ).trim();
  return { commit, tip };
}

/** In its own worktree, as its owner would; one that does not go through is taken back as if it had never begun. */
async function rebase(worktree: Worktree, id: string, { into, tip, target }: FinishOrder): Promise<Finish> {
  const { path, branch } = worktree;
  const here = { cwd: path, hooks: true, limitMs: checkoutMs, env: markOf(id) };
  const admin = adminOf(worktree, id);
  const isOpen = async () =>
    (await isThere(join(admin, 'rebase-merge'))) || isThere(join(admin, 'rebase-apply'));
  if (await isOpen()) await git(['rebase', '--abort'], here);
  const now = (await git(['rev-parse', '--verify', `refs/heads/${branch}`], here)).trim();
  // We died when it was through.
  const isThrough = now !== tip && (await gitOr(['merge-base', '--is-ancestor', target, now], here)) !== null;
  if (isThrough) return { commit: now, tip: now };
  if (now !== tip) return { why: `${branch} has moved meanwhile. Nothing was changed; look at it again.` };
  try {
    await git(['rebase', '--quiet', target], here);
  } catch (error) {
    const conflicts = (await git(['diff', '--name-only', '--diff-filter=U'], here))
      .split('\n')
      .filter(Boolean);
    if (await isOpen()) await git(['rebase', '--abort'], here);
    return { why: conflicts.length > 0 ? conflictText(into, conflicts) : (error as Error).message };
  }
  const commit = (await git(['rev-parse', '--verify', 'HEAD'], here)).trim();
  return { commit, tip: commit };
}

/** Why the branch stays where it is; null: it is at the commit. */
async function moveForward(
  { repository }: Worktree,
  id: string,
  { into, target }: FinishOrder,
  commit: string,
): Promise<string | null> {
  const where = { cwd: repository, repository };
  const checkout = await placeOfBranch(repository, into);
  if (checkout === null) {
    await git(['update-ref', '-m', 'sm finish', `refs/heads/${into}`, commit, target], where);
    return null;
  }
  try {
    const act = { cwd: checkout, hooks: true, limitMs: checkoutMs, env: markOf(id) };
    await git(['merge', '--quiet', '--ff-only', commit], act);
    return null;
  } catch (error) {
    return `${into} is checked out in ${checkout}, and git does not move it there: ${(error as Error).message}. Nothing was changed. Commit or stash what is changed there, and try again.`;
  }
}

async function mergeTree(
  into: string,
  tip: string,
  where: Where,
): Promise<{ tree: string } | { conflicts: string[] }> {
  // 1: there are conflicts, and what is said of them is wanted.
  const asked = ['merge-tree', '--write-tree', '--name-only', '--no-messages', into, tip];
  const said = (await git(asked, { ...where, fine: [0, 1] })).trimEnd().split('\n');
  const [tree = '', ...conflicts] = said;
  return conflicts.length === 0 ? { tree } : { conflicts: [...new Set(conflicts)] };
}

const conflictText = (into: string, files: readonly string[]): string =>
  `these files conflict with ${into}: ${files.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}. Nothing was changed.`;

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const fault = (text: string): Fault => ({ fault: text });

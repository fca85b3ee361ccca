// A random history of a worktree on real git: what agents and users do, removals, restores, finishes, and deaths in between. A
// ledger of its own knows every content and every commit that was ever there, and nothing of it may be lost.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventView } from '../../src/protocol/event.ts';
import { change, type Place } from './worktree-changes.ts';
import { among, type Contents, contents, expectSame } from './worktree-contents.ts';
import type { Pick, Stage } from './worktree-stage.ts';

/** The same from run to run, for a seed. */
export function seeded(seed: number): Pick {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (n) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % n;
  };
}

export const tallied = ['removed', 'kept', 'restored', 'finished', 'stopped', 'locked'] as const;
export type Tally = Record<(typeof tallied)[number], number>;

/** `template`: a folder with a repository in it, and one that can be a submodule. */
export async function playHistory(
  stage: Stage,
  folder: string,
  template: string,
  pick: Pick,
  steps: number,
): Promise<Tally> {
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  const main = join(folder, 'repo');
  const repository = join(main, '.git');
  const tally: Tally = { removed: 0, kept: 0, restored: 0, finished: 0, stopped: 0, locked: 0 };
  const commits = new Set<string>();
  let { id, path } = await makeSession(stage, main, pick);
  let gone: Contents | null = null;
  const inMain = (...args: string[]) => stage.git(main, ...args);
  const git = (...args: string[]) => stage.git(path, ...args);
  const note = async () => void commits.add(await git('rev-parse', 'HEAD'));
  await note();

  /** A git that was killed leaves its locks, and says so from then on. The user deletes them. */
  const unlock = (why: unknown) => {
    if (deleteLocks(repository) === 0 && !/killed|ended with|under way|lock/.test(String(why))) return false;
    tally.locked += 1;
    return true;
  };

  async function remove(): Promise<void> {
    const before = contents(path);
    const words = ['worktrees', 'remove', id, '--yes'];
    const end = await stage.act({ id, what: 'remove', body: {}, words }, pick);
    if (end.step === 'removed') {
      if (existsSync(path)) throw new Error('removed, and still there');
      tally.removed += 1;
      gone = before;
      return;
    }
    unlock(end.why);
    if (!existsSync(path))
      throw new Error(`gone, though it was kept: ${end.why}; there is: ${readdirSync(dirname(path))}`);
    expectSame(before, contents(path));
    tally.kept += 1;
  }

  async function restore(before: Contents): Promise<void> {
    const inTheWay = pick(6) === 0 ? join(path, 'mine.txt') : null;
    if (inTheWay) {
      mkdirSync(path);
      writeFileSync(inTheWay, 'mine');
    }
    for (let tries = 0; ; tries += 1) {
      const words = ['worktrees', 'restore', id];
      const end: EventView = await stage.act({ id, what: 'restore', body: {}, words }, pick);
      if (end.step === 'restored') {
        if (inTheWay && readFileSync(inTheWay, 'utf8') !== 'mine') throw new Error('a file was overwritten');
        path = String(end.path);
        break;
      }
      unlock(end.why);
      if (tries > 5) throw new Error(`not restored: ${end.why}`);
    }
    expectSame(before, contents(path));
    tally.restored += 1;
    gone = null;
  }

  async function finish(): Promise<void> {
    const plan = await stage.call<Plan>('GET', `/sessions/${id}/worktree/finish`);
    if (plan?.status !== 200 || plan.body.commits.length === 0) return;
    const how = (['merge', 'rebase', 'squash'] as const)[pick(3)] as 'merge' | 'rebase' | 'squash';
    const { into, tip, target } = plan.body;
    // The user has something of his own in his checkout.
    const mine = join(main, pick(2) ? 'README.md' : 'mine.txt');
    writeFileSync(mine, `mine ${pick(100)}\n`);
    const [ours, theirs] = [contents(path), readFileSync(mine, 'utf8')];
    const loose = (await git('ls-files', '-z', '--others')).split('\0');
    const words = ['finish', id, `--${how}`, '--yes'];
    const end = await stage.act({ id, what: 'finish', body: { how, into, tip, target }, words }, pick);
    const locked = unlock(end.why);
    if (readFileSync(mine, 'utf8') !== theirs) throw new Error(`${mine} of the user was changed`);
    const now = await inMain('rev-parse', into);
    commits.add(now);
    commits.add(tip);
    if (end.step === 'finished') {
      tally.finished += 1;
      if (how === 'merge') await inMain('merge-base', '--is-ancestor', tip, into);
      if (how !== 'rebase') {
        const [tree] = (await inMain('merge-tree', '--write-tree', target, tip)).split('\n');
        if (tree !== (await inMain('rev-parse', `${into}^{tree}`)))
          throw new Error('main has something else');
      }
    } else {
      tally.stopped += 1;
      if (now !== target && !locked) throw new Error(`stopped, and ${into} has moved: ${end.why}`);
    }
    if (how === 'rebase') expectSame(among(ours, loose), among(contents(path), loose));
    else expectSame(ours, contents(path));
    // So that nothing of it is in the way of the next one.
    rmSync(mine, { force: true });
    await inMain('reset', '--quiet', '--hard', into);
  }

  for (let step = 0; step < steps; step += 1) {
    if (gone !== null) await restore(gone);
    else {
      const next = pick(8);
      if (next < 2) await remove();
      else if (next === 2) await finish();
      else {
        const place: Place = { path, library: join(folder, 'library'), git, inMain };
        await change(pick, place);
        await note();
      }
    }
  }
  unlock('');
  // Every commit that ever was is there, after the strictest clean-up.
  if (gone !== null) {
    await inMain('reflog', 'expire', '--expire=now', '--all');
    await inMain('gc', '--quiet', '--prune=now');
  }
  const asked = [...commits].join('\n');
  for (const commit of asked.split('\n')) await inMain('cat-file', '-e', `${commit}^{commit}`);
  await stage.call('POST', `/sessions/${id}/kill`);
  return tally;
}

interface Plan {
  readonly commits: readonly string[];
  readonly into: string;
  readonly tip: string;
  readonly target: string;
}

/** How many there were. */
function deleteLocks(repository: string): number {
  const locks = readdirSync(repository, { recursive: true, encoding: 'utf8' }).filter((each) =>
    /\.lock$|packed-refs\.new$/.test(each),
  );
  for (const lock of locks) rmSync(join(repository, lock));
  return locks.length;
}

/** Its agent ends at once. What dies while the worktree is made is made again, as a user would. */
async function makeSession(stage: Stage, main: string, pick: Pick): Promise<{ id: string; path: string }> {
  if (pick(3) === 0) stage.threaten(pick);
  for (;;) {
    const body = { provider: 'claude', working_dir: main, worktree: {} };
    const made = await stage.call<{ id: string; working_dir: string }>('POST', '/sessions', body);
    if (made === null) continue;
    const { id, working_dir: path } = made.body;
    if (made.status !== 200) {
      if (made.status !== 400) throw new Error(JSON.stringify(made.body));
      deleteLocks(join(main, '.git'));
      continue;
    }
    let isMade = false;
    for (let after = 0; ; ) {
      const end = await stage.until(
        id,
        (event) => {
          isMade ||= event.type === 'worktree' && event.step === 'made';
          return isOver(event);
        },
        after,
      );
      if (isMade) return { id, path };
      after = end.number;
      deleteLocks(join(main, '.git'));
      while ((await stage.call('POST', `/sessions/${id}/restore`, {})) === null);
    }
  }
}

const isOver = ({ type, step }: EventView): boolean =>
  type === 'session' && ['exited', 'lost'].includes(String(step));

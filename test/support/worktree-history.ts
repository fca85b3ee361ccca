// A random history of a worktree on real git: edits, commits, branches, removals, restores, and crashes in between. A ledger
// of its own knows every content that was ever there, and nothing of it may be lost.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Worktree } from '../../src/domain/core/worktree.ts';
import { archiveRef } from '../../src/worktrees/archive.ts';
import { createWorktrees } from '../../src/worktrees/worktrees.ts';
import { makeRepository } from './repository.ts';

/** Which random number below `n` comes next. */
export type Pick = (n: number) => number;

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

const names = ['a.txt', 'src/b.txt', 'src/deep/c.bin', 'notes.log', 'cache/d', 'odd "name', 'ünï.txt'];
const id = '5e551011';

export interface HistoryResult {
  readonly removed: number;
  readonly kept: number;
  readonly restored: number;
  readonly killed: number;
}

/** `crash` runs an act in a process that is killed at some point of it; then the act is done as after a restart. */
export async function playHistory(
  root: string,
  pick: Pick,
  steps: number,
  crash: Crash,
): Promise<HistoryResult> {
  const repo = makeRepository(join(root, 'repo'));
  repo.commit('ignore', {
    '.gitignore': '*.log\n/cache/\n',
    '.gitattributes': '*.log text=auto\ncache/** text=auto\n',
  });
  const state = join(root, 'state');
  mkdirSync(state);
  const worktrees = createWorktrees({ dir: null, state });
  const planned = await worktrees.plan({
    sessionId: id,
    sessionName: null,
    directory: repo.root,
    branch: 'x',
    base: null,
    setup: false,
  });
  if ('fault' in planned) throw new Error(planned.fault);
  let worktree: Worktree = planned.worktree;
  const quiet = { output: async () => {}, made: async () => {}, setUp: async () => {} };
  const make = () =>
    worktrees.make(worktree, id, { tell: quiet, env: {}, signal: new AbortController().signal });
  const made = await make();
  if (made) throw new Error(made.fault);
  worktree = { ...worktree, state: { is: 'ready' } };
  const tally = { removed: 0, kept: 0, restored: 0, killed: 0 };
  const commits = new Set<string>();
  let gone: Map<string, string> | null = null;
  const git = (...args: string[]) => repo.gitIn(worktree.path, ...args);
  const note = () => commits.add(git('rev-parse', 'HEAD'));
  note();

  for (let step = 0; step < steps; step += 1) {
    if (gone !== null) {
      const before = gone;
      if (await crash({ act: 'restore', worktree, id, state }, pick)) tally.killed += 1;
      const back = await worktrees.restore(worktree, id, archiveRef(id));
      if ('fault' in back) throw new Error(`not restored: ${back.fault}`);
      worktree = { ...worktree, ...back };
      expectSame(before, contents(worktree.path));
      tally.restored += 1;
      gone = null;
    } else if (pick(4) === 0) {
      const before = contents(worktree.path);
      if (await crash({ act: 'remove', worktree, id, state }, pick)) tally.killed += 1;
      const done = await worktrees.remove(worktree, id, []);
      if ('removed' in done) {
        if (existsSync(worktree.path)) throw new Error('removed, and still there');
        tally.removed += 1;
        gone = before;
      } else {
        expectSame(before, contents(worktree.path));
        tally.kept += 1;
      }
    } else change(pick, worktree.path, git, repo.git, note);
  }
  // Every commit that ever was is there, after the strictest clean-up.
  if (gone !== null || existsSync(worktree.path)) {
    if (gone !== null) {
      repo.git('reflog', 'expire', '--expire=now', '--all');
      repo.git('gc', '--quiet', '--prune=now');
    }
    for (const commit of commits) repo.git('cat-file', '-e', `${commit}^{commit}`);
  }
  return tally;
}

export interface Act {
  readonly act: 'remove' | 'restore';
  readonly worktree: Worktree;
  readonly id: string;
  readonly state: string;
}
/** Whether the process was killed before it was through. */
export type Crash = (act: Act, pick: Pick) => Promise<boolean>;

type Git = (...args: string[]) => string;

/** Something that an agent does. */
function change(pick: Pick, folder: string, git: Git, inMain: Git, note: () => void): void {
  const name = names[pick(names.length)] as string;
  const place = join(folder, name);
  const isFile = existsSync(place) && lstatSync(place).isFile();
  switch (pick(11)) {
    case 0:
    case 1:
      mkdirSync(dirname(place), { recursive: true });
      rmSync(place, { force: true, recursive: true });
      writeFileSync(place, Buffer.from([pick(256), 13, 10, pick(256), 10]));
      if (pick(3) === 0) chmodSync(place, 0o755);
      return;
    case 2:
      mkdirSync(dirname(place), { recursive: true });
      rmSync(place, { force: true, recursive: true });
      symlinkSync(`../elsewhere-${pick(9)}`, place);
      return;
    case 3:
      if (isFile) renameSync(place, join(folder, `moved-${pick(5)}.txt`));
      return;
    case 4:
    case 5:
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', `work ${pick(1000)}`);
      return void note();
    case 6:
      git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'amended');
      return void note();
    case 7:
      git('stash', '--include-untracked', '--quiet');
      return;
    case 8:
      git('reset', '--quiet', '--hard', 'HEAD~0');
      return;
    case 9:
      inMain('merge', '--quiet', '--no-edit', '-X', 'theirs', git('rev-parse', 'HEAD'));
      return;
    case 10:
      inMain('update-ref', `refs/remotes/origin/${pick(3)}`, git('rev-parse', 'HEAD'));
  }
}

/** Every file below a directory: what it is, and what is in it. */
export function contents(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (below: string) => {
    for (const name of readdirSync(join(folder, below))) {
      const path = below === '' ? name : `${below}/${name}`;
      if (path === '.git') continue;
      const stats = lstatSync(join(folder, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(folder, path))}`);
      else
        found.set(
          path,
          `${(stats.mode & 0o777).toString(8)} ${readFileSync(join(folder, path)).toString('hex')}`,
        );
    }
  };
  walk('');
  return found;
}

function expectSame(before: Map<string, string>, after: Map<string, string>): void {
  for (const [path, content] of before)
    if (after.get(path) !== content)
      throw new Error(`${path} was ${content}, and is ${after.get(path) ?? 'gone'}`);
  for (const path of after.keys()) if (!before.has(path)) throw new Error(`${path} has come from nowhere`);
}

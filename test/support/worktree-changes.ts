// What agents and users do in a worktree and beside it, one random thing at a time.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pick } from './worktree-stage.ts';

export interface Place {
  /** The worktree. */
  readonly path: string;
  /** A repository that can be a submodule. */
  readonly library: string;
  /** Git in the worktree, and in the checkout of the user. */
  git(...args: string[]): Promise<string>;
  inMain(...args: string[]): Promise<string>;
}

const names = [
  ...['a.txt', 'src/b.txt', 'src/deep/c.bin', 'notes.log', 'cache/d', 'odd "name', 'ünï.txt'],
  ...['README.md', 'packages/api/index.ts'],
];

/** Git may refuse some of it, as it does for anybody. */
export async function change(pick: Pick, place: Place): Promise<void> {
  const { path: folder, git, inMain, library } = place;
  const name = names[pick(names.length)] as string;
  const file = join(folder, name);
  const isFile = existsSync(file) && lstatSync(file).isFile();
  const or = (act: Promise<string>) => act.catch(() => '');
  switch (pick(22)) {
    case 0:
    case 1:
    case 2:
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true, recursive: true });
      writeFileSync(file, Buffer.from([pick(256), 13, 10, pick(256), 10]));
      if (pick(3) === 0) chmodSync(file, 0o755);
      return;
    case 3:
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true, recursive: true });
      symlinkSync(`../elsewhere-${pick(9)}`, file);
      return;
    case 4:
      if (isFile) renameSync(file, join(folder, `moved-${pick(5)}.txt`));
      return;
    case 5:
    case 6:
    case 7:
      await or(git('add', '--all'));
      await or(git('commit', '--quiet', '--allow-empty', '-m', `work ${pick(1000)}`));
      return;
    case 8:
      await or(git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'amended'));
      return;
    case 9:
      await or(git('stash', 'push', '--quiet', ...(pick(2) ? ['--include-untracked'] : [])));
      return;
    case 10:
      await or(git('stash', 'pop', '--quiet'));
      return;
    case 11:
      await or(git('reset', '--quiet', '--hard', pick(2) ? 'HEAD' : 'HEAD~1'));
      return;
    case 12:
    case 13:
      await or(inMain('merge', '--quiet', '--no-edit', '-X', 'theirs', await git('rev-parse', 'HEAD')));
      await or(inMain('merge', '--abort'));
      return;
    case 14:
      await or(inMain('update-ref', `refs/remotes/origin/${pick(3)}`, await git('rev-parse', 'HEAD')));
      return;
    case 15:
      await or(git('switch', '--quiet', '--create', `other-${pick(3)}`));
      return;
    case 16:
      await or(git('switch', '--quiet', `other-${pick(3)}`));
      return;
    case 17:
      await or(git('switch', '--quiet', '--detach', pick(2) ? 'HEAD' : 'HEAD~1'));
      return;
    case 18:
      await or(git('branch', '--move', `renamed-${pick(2)}`));
      return;
    case 19:
      await or(git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library'));
      return;
    case 20: {
      const inside = join(folder, 'library');
      if (pick(2) && existsSync(join(inside, '.git')))
        await or(git('-C', inside, 'commit', '--quiet', '--allow-empty', '-m', 'in the library'));
      else await or(git('submodule', '--quiet', 'deinit', '--force', 'library'));
      return;
    }
    default:
      await or(inMain('gc', '--quiet', '--auto'));
      await or(inMain('pack-refs', '--all'));
  }
}

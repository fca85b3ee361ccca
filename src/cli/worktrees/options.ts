// `--worktree [BRANCH] --base REF --no-setup`, or `--no-worktree`, of every command that starts a session.
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { given } from '../text-argument.ts';
import { askForSetup } from './allow.ts';

export const worktreeUsage = '[--worktree [BRANCH] [--base REF] [--no-setup] | --no-worktree]';

export const worktreeOptions = {
  worktree: {
    value: 'BRANCH',
    optional: true,
    word: true,
    help: 'work in a git worktree of its own, on BRANCH (default: a new one, named after the session)',
  },
  base: {
    value: 'REF',
    help: 'with --worktree: the commit a new branch starts from (default: your current commit)',
  },
  'no-setup': { help: 'with --worktree: do not run .sm/worktree-setup' },
  'no-worktree': { help: 'work in the directory itself, also if the profile says worktree: true' },
} as const;

interface Options {
  readonly worktree: string | true | undefined;
  readonly base: string | undefined;
  readonly 'no-setup': boolean;
  readonly 'no-worktree': boolean;
}

interface WorktreeBody {
  readonly branch?: string;
  readonly base?: string;
  readonly setup: boolean;
}

/** What the request says of a worktree. A person may be asked first whether the set-up script may run. */
export async function worktreeBody(
  io: Io,
  client: Client,
  path: string,
  { worktree, base, 'no-setup': bare, 'no-worktree': none }: Options,
): Promise<{ worktree?: WorktreeBody | false }> {
  if (none && worktree !== undefined)
    throw new Failure('--worktree and --no-worktree say the opposite. Give one of them.');
  if (worktree === undefined) {
    if (base !== undefined || bare)
      throw new Failure(`${bare ? '--no-setup' : '--base'} goes with --worktree. Give both, or neither.`);
    return none ? { worktree: false } : {};
  }
  const wanted = {
    ...(worktree !== true && { branch: given('branch', worktree) }),
    ...(base !== undefined && { base: given('base', base) }),
  };
  if (!bare) await askForSetup(io, client, { path, ...wanted });
  return { worktree: { ...wanted, setup: !bare } };
}

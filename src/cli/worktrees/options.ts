// `--worktree [BRANCH] --base REF --no-setup`, of every command that starts a session.
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { given } from '../given.ts';
import type { Io } from '../io.ts';
import { askForSetup } from './allow.ts';

export const worktreeUsage = '[--worktree [BRANCH] [--base REF] [--no-setup]]';

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
} as const;

interface Options {
  readonly worktree: string | true | undefined;
  readonly base: string | undefined;
  readonly 'no-setup': boolean;
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
  { worktree, base, 'no-setup': bare }: Options,
): Promise<{ worktree?: WorktreeBody }> {
  if (worktree === undefined) {
    if (base !== undefined || bare)
      throw new Failure(`${bare ? '--no-setup' : '--base'} goes with --worktree. Give both, or neither.`);
    return {};
  }
  const wanted = {
    ...(worktree !== true && { branch: given('branch', worktree) }),
    ...(base !== undefined && { base: given('base', base) }),
  };
  if (!bare) await askForSetup(io, client, { path, ...wanted });
  return { worktree: { ...wanted, setup: !bare } };
}

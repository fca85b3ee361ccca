// `--worktree [BRANCH] --base REF`, of every command that starts a session.
import { Failure } from './failure.ts';
import { given } from './given.ts';

export const worktreeOptions = {
  worktree: {
    value: 'BRANCH',
    optional: true,
    word: true,
    help: 'work in a git worktree of its own, on BRANCH (default: a new one, named after the session)',
  },
  base: {
    value: 'REF',
    help: 'with --worktree: the commit a new branch starts from (default: what you stand on)',
  },
} as const;

interface Options {
  readonly worktree: string | true | undefined;
  readonly base: string | undefined;
}

export function worktreeBody({ worktree, base }: Options): { worktree?: { branch?: string; base?: string } } {
  if (worktree === undefined) {
    if (base !== undefined) throw new Failure('--base goes with --worktree. Give both, or neither.');
    return {};
  }
  return {
    worktree: {
      ...(worktree !== true && { branch: given('branch', worktree) }),
      ...(base !== undefined && { base: given('base', base) }),
    },
  };
}

// Where a session's directory stands in git, as far as its files tell.

export interface Checkout {
  /** The repository's main checkout (or bare directory): the same for all of its worktrees. */
  readonly repository: string;
  /** The worktree that the session works in. */
  readonly root: string;
  /** Null: a commit is checked out, and no branch. */
  readonly branch: string | null;
  /** That commit; null where a branch is. */
  readonly commit: string | null;
}

export const sameCheckout = (one: Checkout | null, other: Checkout | null): boolean =>
  one?.repository === other?.repository &&
  one?.root === other?.root &&
  one?.branch === other?.branch &&
  one?.commit === other?.commit;

/** What people call the repository: the name of its directory. */
export function repositoryName({ repository }: Checkout): string {
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  return name.replace(/(.)\.git$/, '$1');
}

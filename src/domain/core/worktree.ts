// The git worktree that was made for a session. The session owns it, and remembers it as long as it is there.

export interface Worktree {
  /** Where it is, once it is whole. */
  readonly path: string;
  /** The git directory that all worktrees of the repository share. */
  readonly repository: string;
  /** The checkout that it was asked for in: what git ignores there can be copied. */
  readonly source: string;
  readonly branch: string;
  /** The branch was made with it, and goes with it. */
  readonly ownsBranch: boolean;
  readonly base: Base;
  /** The set-up script that is to run in it, by the hash of what the user allowed. */
  readonly setup: { readonly hash: string; readonly done: boolean } | null;
  readonly state: WorktreeState;
  /** Its work, up to `tip`, became this one commit of another branch. */
  readonly finished?: { readonly tip: string; readonly commit: string };
}

/** Where its work began, and where it is to go. */
export interface Base {
  /** As the user named it, or the branch that he stood on. */
  readonly name: string;
  /** The local branch of that name; null: it is none. */
  readonly branch: string | null;
  readonly commit: string;
}

/** `making`: it is not whole yet, and nobody works in it. `archived`: it is gone, and a ref keeps all that it had. */
export type WorktreeState =
  | { readonly is: 'making' }
  | { readonly is: 'ready' }
  /** Its work goes into another branch. */
  | { readonly is: 'finishing' }
  | { readonly is: 'removing' }
  | { readonly is: 'archived'; readonly ref: string; readonly at: number }
  | { readonly is: 'restoring'; readonly ref: string };

/** How its work is to go into a branch; both are to be where the user saw them. */
export interface FinishOrder {
  readonly how: 'merge' | 'rebase' | 'squash';
  readonly into: string;
  readonly tip: string;
  readonly target: string;
}

export type WorktreeProgress =
  | { readonly is: 'made' }
  | { readonly is: 'set-up' }
  /** A line of ours, or of the set-up script. */
  | { readonly is: 'output'; readonly text: string };

/** An agent can work in it. */
export const isReady = ({ state, setup }: Worktree): boolean =>
  (state.is === 'ready' || state.is === 'finishing') && (setup === null || setup.done);

// Git worktrees: where one is to be, making it, looking at it.

import type { FinishOrder, Worktree } from '../domain/core/worktree.ts';
import type { Diff, DiffRequest } from './diff.ts';

export interface WorktreeRequest {
  readonly sessionId: string;
  readonly sessionName: string | null;
  /** Where the user stands. */
  readonly directory: string;
  /** Null: one is made and named. */
  readonly branch: string | null;
  /** Null: what is checked out there. */
  readonly base: string | null;
  /** Whether the set-up script of the repository is to run, if there is one. */
  readonly setup: boolean;
}

export interface Plan {
  readonly worktree: Worktree;
  /** As deep in the worktree as the user stands in the checkout. */
  readonly workingDir: string;
  /** A set-up script that is to run, and that the user has not allowed. */
  readonly unallowed: SetupScript | null;
}

export interface SetupScript {
  readonly text: string;
  readonly hash: string;
}

/** What git says of one. Null: it cannot be told. */
export interface WorktreeLook {
  /** Null: it is not there. `sizeBytes` is of what lies in it, without the history. */
  readonly sizeBytes: number | null;
  /** What is checked out, which may be another branch than it was made for. */
  readonly branch: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  /** Tracked files that differ from the last commit, and files that git does not know. */
  readonly changed: number | null;
  readonly untracked: number | null;
  /** Why it cannot be looked at. */
  readonly fault: string | null;
}

export interface RemovalPlan {
  /** Why it would stay; null: it would go. */
  readonly why: string | null;
  /** Files that no commit has, and that would be kept. */
  readonly kept: { readonly count: number; readonly bytes: number };
  readonly givenUp: readonly GivenUp[];
}

/** What git ignores and is too much to keep. */
export interface GivenUp {
  readonly path: string;
  readonly bytes: number;
}

/** The ref that keeps it, or why it stays. */
export type Removal = { readonly removed: string } | { readonly kept: string };

export type Restoration =
  | { readonly path: string; readonly branch: string; readonly ownsBranch: boolean }
  | { readonly fault: string };

export interface FinishRequest {
  /** Null: where it began. */
  readonly into: string | null;
}

export interface FinishPlan {
  readonly branch: string;
  readonly into: string;
  /** Where both are. */
  readonly tip: string;
  readonly target: string;
  /** The oldest first: `1a2b3c4 subject`. */
  readonly commits: readonly string[];
  readonly stat: string;
  /** Files that a merge would leave in conflict. */
  readonly conflicts: readonly string[];
  /** Where the other branch is checked out. */
  readonly checkout: string | null;
}

/** The commit that the other branch came to, and where its own is now; or why nothing was done. */
export type Finish = { readonly commit: string; readonly tip: string } | { readonly why: string };

export interface Worktrees {
  /** Decides on everything that can be decided before, and changes nothing. */
  plan(request: WorktreeRequest): Promise<Plan | { readonly fault: string }>;
  /**
   * Makes it, or finishes one that was begun: it may be called again after a crash at any point. What cannot be finished
   * is taken back, and the fault says why.
   */
  make(worktree: Worktree, sessionId: string, making: Making): Promise<{ readonly fault: string } | null>;
  /** From now on, a set-up script with this content runs. */
  allow(hash: string, at: string): Promise<void>;
  /** What would happen if it were removed now. */
  removal(worktree: Worktree, sessionId: string): Promise<RemovalPlan>;
  /** Removes it, or goes on with that; only if nothing would be lost and nobody is in it. All that it has is kept. */
  remove(worktree: Worktree, sessionId: string, giveUp: readonly string[]): Promise<Removal>;
  /** Brings it back from what was kept. */
  restore(worktree: Worktree, sessionId: string, ref: string): Promise<Restoration>;
  planFinish(worktree: Worktree, request: FinishRequest): Promise<FinishPlan | { readonly fault: string }>;
  /** Does it, or goes on with it after a crash. */
  finish(worktree: Worktree, sessionId: string, order: FinishOrder): Promise<Finish>;
  look(worktree: Worktree): Promise<WorktreeLook>;
  /** Of any checkout, also one that is nobody's own. */
  diff(request: DiffRequest): Promise<Diff | { readonly fault: string }>;
}

export interface Making {
  readonly tell: {
    readonly output: (text: string) => Promise<void>;
    readonly made: () => Promise<void>;
    readonly setUp: () => Promise<void>;
  };
  /** That of the agent, for the set-up script. */
  readonly env: Readonly<Record<string, string>>;
  /** It is not wanted any more. */
  readonly signal: AbortSignal;
}

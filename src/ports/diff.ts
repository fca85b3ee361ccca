// What has changed in a checkout since some commit, line by line, as far as somebody can read it.

export interface DiffRequest {
  /** Somewhere in the checkout. */
  readonly directory: string;
  /** What it is compared with: where this branch or commit parted from it; null: its last commit. */
  readonly base: string | null;
  /** Only this file, of which more is shown; null: all. */
  readonly path: string | null;
}

export interface Diff {
  readonly root: string;
  /** The commit that it is compared with; null: there is none yet. */
  readonly commit: string | null;
  readonly files: readonly ChangedFile[];
  /** How many more have changed that are not listed. */
  readonly more: number;
}

export interface ChangedFile {
  readonly path: string;
  /** What it was called before. */
  readonly oldPath: string | null;
  readonly is: 'added' | 'removed' | 'changed' | 'renamed' | 'conflicted' | 'untracked';
  /** Lines; null: it has none that can be counted. */
  readonly added: number | null;
  readonly removed: number | null;
  /** The hunks, as git writes them; null: they are left out. */
  readonly patch: string | null;
  readonly leftOut: 'binary' | 'long' | 'no-file' | null;
}

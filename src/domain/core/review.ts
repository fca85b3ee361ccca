// A review: a message that stands for one. The agent is not given its text but told to review a target, by a way of its own.
export type ReviewTarget =
  /** Staged, unstaged and untracked. */
  | { readonly of: 'uncommitted' }
  | { readonly of: 'base'; readonly branch: string }
  | { readonly of: 'commit'; readonly commit: string }
  | { readonly of: 'custom'; readonly text: string };

/** What queues, traces and headers show of it. */
export function reviewText(target: ReviewTarget): string {
  switch (target.of) {
    case 'uncommitted':
      return 'Review the uncommitted changes';
    case 'base':
      return `Review the changes against ${target.branch}`;
    case 'commit':
      return `Review the commit ${target.commit}`;
    case 'custom':
      return `Review: ${target.text}`;
  }
}

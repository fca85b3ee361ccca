// A remark on one line of what a session has changed. It is kept with the session until it goes to the agent.
import type { Actor } from './names.ts';

export interface Comment {
  readonly id: string;
  /** As git names it, from the root of the checkout. */
  readonly path: string;
  /** `old`: the line is gone, and the number is the one that it had. */
  readonly side: 'old' | 'new';
  readonly line: number;
  /** What stood there when it was written: the agent may have gone on since. */
  readonly quote: string;
  readonly text: string;
  readonly by: Actor;
  readonly at: number;
}

/** All of them as one message, file by file and from the top; `foreword` comes first. */
export function commentsText(comments: readonly Comment[], foreword: string | null): string {
  const sorted = [...comments].sort((one, other) => compare(one.path, other.path) || one.line - other.line);
  const count = comments.length === 1 ? '1 comment' : `${comments.length} comments`;
  const parts = sorted.map(({ path, side, line, quote, text }) =>
    [`${path}:${line}${side === 'old' ? ' (a line that you removed)' : ''}`, `> ${quote}`, text].join('\n'),
  );
  return [...(foreword ? [foreword] : []), `${count} on your changes:`, ...parts].join('\n\n');
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

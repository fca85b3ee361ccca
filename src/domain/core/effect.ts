// Effects: what a decision owes the world. Each is committed before it runs, and its result comes back as an input.

import type { FamilyNews } from './budget.ts';
import type { Look } from './fact.ts';
import type { Key, MessageId, Mode, SessionId } from './names.ts';
import type { ReviewTarget } from './review.ts';
import type { Under } from './session.ts';
import type { FinishOrder } from './worktree.ts';

export interface OwedEffect {
  readonly id: string;
  readonly sessionId: SessionId;
  readonly effect: Effect;
}

export interface Cursor {
  readonly x: number;
  readonly y: number;
}

export type Effect =
  | {
      readonly do: 'launch';
      /** The conversation's id; null: the agent names it. */
      readonly providerId: string | null;
      readonly resume: boolean;
      /** The conversation that it is to begin with a copy of. */
      readonly fork?: string;
      readonly env: Readonly<Record<string, string>>;
      /** A process that is ended first, if it is still there. */
      readonly replaces?: { readonly pid: number; readonly startedAt: string | null };
    }
  | { readonly do: 'kill' }
  /** Removes a dead pane, whose last screen has been kept. */
  | { readonly do: 'bury' }
  | { readonly do: 'look' }
  /** Tells another session something, as a message of ours. */
  | {
      readonly do: 'post';
      readonly to: SessionId;
      readonly message: MessageId;
      readonly text: string;
      readonly mode: Mode;
    }
  /** Lets the parent, or a child, know what concerns its budget. */
  | { readonly do: 'pass-on'; readonly to: SessionId; readonly news: FamilyNews }
  /** Gives an answer to the hook that waits with this fact. */
  | {
      readonly do: 'answer';
      readonly fact: string;
      readonly decision: 'allow' | 'deny';
      readonly text: string | null;
    }
  /**
   * Pastes the text (or nothing) and presses Enter, only if the cursor still stands where it was seen. Where there is
   * no screen, there is no cursor: the agent is told the text.
   */
  | {
      readonly do: 'submit';
      readonly text: string | null;
      readonly stash: boolean;
      /** How many rows of a draft of ours are removed first. */
      readonly erase: number;
      readonly cursor: Cursor | null;
      /** Not a text, but a review: the message that stands for it. */
      readonly review?: { readonly message: MessageId; readonly target: ReviewTarget };
    }
  /** Presses Escape, only if the cursor still stands where it was seen. */
  | { readonly do: 'escape'; readonly cursor: Cursor | null }
  | { readonly do: 'press'; readonly press: string; readonly key: Key }
  | { readonly do: 'leave-copy-mode' }
  /** Checks that the document can be handed over and is newer than that, and keeps a copy of it. */
  | { readonly do: 'check-document'; readonly path: string; readonly newerThan: number | null }
  /** `giveUp`: what the user agreed to lose, because it is too much to keep. */
  | { readonly do: 'remove-worktree'; readonly giveUp: readonly string[] }
  | { readonly do: 'restore-worktree'; readonly ref: string }
  | { readonly do: 'finish-worktree'; readonly order: FinishOrder }
  /** Puts the document where the agent finds it again after a compaction. */
  | { readonly do: 'publish-document'; readonly path: string; readonly copy: string };

export type EffectResult =
  | {
      readonly of: 'launch';
      readonly outcome: 'launched';
      readonly pid: number;
      readonly startedAt: string | null;
      readonly agentVersion: string | null;
      /** The directory of its account. */
      readonly account?: string;
      readonly under?: Under;
    }
  /** `stays`: what was to be replaced runs as before. */
  | { readonly of: 'launch'; readonly outcome: 'failed'; readonly why: string; readonly stays?: true }
  /** `failed`: why it may still live. `screen`: the last that its terminal showed. */
  | { readonly of: 'kill'; readonly failed?: string; readonly screen?: string }
  | { readonly of: 'bury' }
  /** `nobody`: the session is not there any more. */
  | { readonly of: 'post'; readonly outcome: 'posted' | 'nobody' }
  | { readonly of: 'pass-on' }
  /** `later`: it could not be handed over, and can be given again. `unknown`: we died in between. */
  | { readonly of: 'answer'; readonly outcome: 'taken' | 'later' | 'nobody' | 'unknown' }
  /** Null: there is no such pane. */
  | { readonly of: 'look'; readonly look: Look | null }
  /** `unknown`: we died in between, and nobody can say whether the keys went out. */
  | { readonly of: 'submit'; readonly outcome: Typed }
  | { readonly of: 'escape'; readonly outcome: Typed }
  | { readonly of: 'press'; readonly press: string; readonly key: Key; readonly outcome: Typed }
  | { readonly of: 'leave-copy-mode' }
  | { readonly of: 'check-document'; readonly outcome: 'kept'; readonly copy: string }
  | { readonly of: 'check-document'; readonly outcome: 'bad'; readonly why: string }
  | { readonly of: 'publish-document' }
  | { readonly of: 'remove-worktree'; readonly outcome: 'removed'; readonly ref: string }
  | { readonly of: 'remove-worktree'; readonly outcome: 'kept'; readonly why: string }
  | {
      readonly of: 'restore-worktree';
      readonly outcome: 'restored';
      readonly path: string;
      readonly branch: string;
      readonly ownsBranch: boolean;
    }
  | { readonly of: 'restore-worktree'; readonly outcome: 'failed'; readonly why: string }
  | {
      readonly of: 'finish-worktree';
      readonly outcome: 'finished';
      readonly order: FinishOrder;
      readonly commit: string;
      readonly tip: string;
    }
  | { readonly of: 'finish-worktree'; readonly outcome: 'stopped'; readonly why: string };

export type Typed = 'typed' | 'changed' | 'gone' | 'unknown';

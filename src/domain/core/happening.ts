// What one room has done that others react to. It is announced at once, in the middle of the decision; who reacts, and in
// which order, stands in one table (`reactions.ts`), so that a room never calls one above it.
import type { Ending } from './ending.ts';
import type { Message } from './message.ts';
import type { Evidence, MessageId } from './names.ts';

export type Happening =
  /** Keys went out for these, or may have. */
  | { readonly is: 'typed'; readonly messages: readonly MessageId[] }
  | { readonly is: 'accepted'; readonly message: Message }
  /** Nobody will ever take it. */
  | { readonly is: 'dropped'; readonly message: MessageId; readonly why: string }
  /** The command that clears the context could not be typed. */
  | { readonly is: 'clear-not-typed'; readonly why: string }
  | { readonly is: 'dialog-seen'; readonly text: string }
  /** The agent was kept waiting by a human, since then. */
  | { readonly is: 'unblocked'; readonly since: number }
  /** It is over, and nothing of it has been told yet. */
  | { readonly is: 'turn-ended'; readonly how: Ending; readonly evidence: Evidence }
  /** What a turn had taken is over. */
  | { readonly is: 'messages-ended'; readonly how: Ending }
  /** Proof that no compaction is going on. */
  | { readonly is: 'no-compaction'; readonly why: string }
  | { readonly is: 'cleared' }
  | { readonly is: 'clear-failed'; readonly why: string }
  /** What is known of the context is about to be forgotten. */
  | { readonly is: 'context-ending' }
  | { readonly is: 'context-ended' }
  | { readonly is: 'context-began' }
  | { readonly is: 'reported' }
  | { readonly is: 'killed' }
  | { readonly is: 'agent-ending' }
  | { readonly is: 'agent-gone' }
  | { readonly is: 'session-ended'; readonly how: string };

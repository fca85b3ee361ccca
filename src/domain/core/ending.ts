// How a turn ended, and with it every message that it took. It is told in these words everywhere, and never as more
// than is known.

import type { MessageId, Sender, SessionId } from './names.ts';
export type TurnEnd =
  /** By itself. */
  | 'ended'
  /** By an interrupt of ours, for another message or for a clear. */
  | 'cut-off'
  /** By a human or for whoever asked us to, and there is evidence of it. */
  | 'interrupted'
  /** With an error of the agent. */
  | 'failed'
  /** With its agent. */
  | 'died'
  /** With its context. */
  | 'cleared'
  /** The agent is idle, and nothing tells how it came to that. */
  | 'unknown';

/** What becomes of a message that a turn has taken: `answered` only when that turn ended by itself. */
export type MessageEnd = 'answered' | Exclude<TurnEnd, 'ended'>;

/** What we cut a turn off for: a message, or (null) a clear; and whose it is. */
export interface Cut {
  readonly message: MessageId | null;
  readonly from: Sender;
}

export type Ending =
  /** `stillRuns`: background tasks that go on. */
  | { readonly end: 'ended'; readonly lastWords: string | null; readonly stillRuns: number }
  /** Its last words are the error. `limit`: nothing is left of what its account may use. */
  | { readonly end: 'failed'; readonly lastWords: string | null; readonly limit?: LimitReached }
  | { readonly end: 'cut-off'; readonly cut: Cut }
  /** `by`: who had us press Escape; absent: a human at the terminal. */
  | { readonly end: 'interrupted'; readonly by?: Sender }
  /** `by`: who ended it, and so need not be told. */
  | { readonly end: 'died'; readonly how: string; readonly by: SessionId | null }
  | { readonly end: 'cleared'; readonly by: Extract<Sender, { kind: 'session' | 'person' }> | null }
  | { readonly end: 'unknown' };

/** When it resets; null: the error does not tell. */
export interface LimitReached {
  readonly resetsAt: number | null;
}

/** What an agent itself tells of the end of a turn. */
export type ToldEnding =
  | Extract<Ending, { end: 'ended' | 'failed' }>
  /** The agent cannot know for whom we pressed Escape. */
  | { readonly end: 'interrupted' };

export const ended = (lastWords: string | null = null, stillRuns = 0): Ending => ({
  end: 'ended',
  lastWords,
  stillRuns,
});
export const failed = (error: string | null, limit?: LimitReached): Ending => ({
  end: 'failed',
  lastWords: error,
  ...(limit && { limit }),
});
export const interrupted: Ending = { end: 'interrupted' };
export const unknownEnd: Ending = { end: 'unknown' };

/** Nothing of the turn can go on: its agent or its context is gone. */
export const isGone = ({ end }: Ending): boolean => end === 'died' || end === 'cleared';

export const lastWordsOf = (ending: Ending): string | null =>
  ending.end === 'ended' || ending.end === 'failed' ? ending.lastWords : null;

/** Who ended it himself, and need not be told. */
export function whoEnded(ending: Ending): SessionId | null {
  switch (ending.end) {
    case 'died':
      return ending.by;
    case 'cleared':
      return ending.by?.kind === 'session' ? ending.by.id : null;
    case 'cut-off':
      return ending.cut.from.kind === 'session' ? ending.cut.from.id : null;
    case 'interrupted':
      return ending.by?.kind === 'session' ? ending.by.id : null;
    default:
      return null;
  }
}

/** Why a message was not answered, for whoever reads its state. */
export function whyNot(ending: Exclude<Ending, { end: 'ended' }>): string {
  switch (ending.end) {
    case 'failed':
      return ending.lastWords ?? 'unknown error';
    case 'cut-off':
      return cutBy(ending.cut);
    case 'interrupted':
      return `by ${whoInterrupted(ending)}`;
    case 'died':
      return ending.how;
    case 'cleared':
      return ending.by ? `by ${called(ending.by)}` : 'by a human';
    case 'unknown':
      return 'how its turn ended is unknown';
  }
}

/** `by message #0123abcd from lead (f00df00d)`. */
export const cutBy = ({ message, from }: Cut): string =>
  message === null
    ? `by ${called(from)}, for a clear that failed`
    : `by message #${message} from ${called(from)}`;

export const whoInterrupted = ({ by }: Extract<Ending, { end: 'interrupted' }>): string =>
  by ? called(by) : 'a human';

export function called(who: Sender): string {
  switch (who.kind) {
    case 'session':
      return who.name === '' ? who.id : `${who.name} (${who.id})`;
    case 'person':
      return 'the user';
    case 'sm':
      return 'sm';
  }
}

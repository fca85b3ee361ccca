// A message: one text from someone to a session, with a mode and a state.

import type { Cut, MessageEnd } from './ending.ts';
import type { Evidence, MessageId, Mode, Sender, SessionId, Thresholds } from './names.ts';
import type { ReviewTarget } from './review.ts';

/** The longest text of a message, in bytes. Longer ones belong in a file. */
export const longestText = 1_048_576;

export interface Message {
  readonly id: MessageId;
  readonly to: SessionId;
  readonly from: Sender;
  readonly text: string;
  /** What is typed instead, when the text itself would not come through a terminal unchanged. */
  readonly shown: string | null;
  /** Texts of our own that others rely on word for word go without a header. */
  readonly headed: boolean;
  readonly mode: Mode;
  readonly notify: Notify;
  /** The reminder that starts when the agent has it. */
  readonly remind: Thresholds | null;
  /** It has waited long enough for a compaction: it is typed in spite of one. */
  readonly evenCompacting: boolean;
  /** It stands for a review, and goes alone. */
  readonly review?: ReviewTarget;
  readonly createdAt: number;
  /** Its place among the messages of this session. */
  readonly order: number;
  readonly state: MessageState;
}

/** What somebody wants to be sent. */
export interface Sending {
  readonly id: MessageId;
  readonly text: string;
  /** Where its exact bytes are, when a terminal cannot carry them. */
  readonly file: string | null;
  readonly headed: boolean;
  readonly from: Sender;
  readonly mode: Mode;
  readonly notify: Notify;
  readonly remind: Thresholds | null;
  /** It expires if the agent does not have it by then. */
  readonly expiresAt: number | null;
  readonly review?: ReviewTarget;
}

/** What its sender, if that is a session, wants to hear of it. */
export interface Notify {
  /** When the turn that took it has ended, however. */
  readonly turnEnd: boolean;
  /** When the agent has it. */
  readonly accepted: boolean;
  /** When the agent has had it for so long and is not done. */
  readonly afterSeconds: number | null;
}

export const quietly: Notify = { turnEnd: false, accepted: false, afterSeconds: null };

export type MessageState =
  /** `given`: it was typed before, so that the agent, or its human, may have it all the same. */
  | { readonly is: 'queued'; readonly given?: true }
  /** Its moment is there, but the pane forbids it. */
  | { readonly is: 'held'; readonly why: string; readonly since: number; readonly given?: true }
  /** Attempted, not proven. */
  | { readonly is: 'typed'; readonly attempt: string; readonly at: number }
  | {
      readonly is: 'accepted';
      readonly at: number;
      readonly evidence: Evidence;
      readonly turn: string | null;
      /** What cut off the turn that took it. If nothing of it goes on, that is how it ended. */
      readonly cut?: Cut;
    }
  /** The turn that took it has ended by itself. */
  | { readonly is: 'answered'; readonly at: number; readonly turn: string | null }
  /** Its turn has ended otherwise; without a turn, it never reached the agent. */
  | {
      readonly is: Exclude<MessageEnd, 'answered'>;
      readonly at: number;
      readonly why: string;
      readonly turn?: string | null;
    }
  | { readonly is: 'withdrawn'; readonly at: number; readonly why: string }
  | { readonly is: 'expired'; readonly at: number; readonly why: string };

export function isWaiting(message: Message): boolean {
  return message.state.is === 'queued' || message.state.is === 'held';
}

/** Its text is back in a human's composer, and is the human's to send. */
export const isReturned = ({ state }: Message): boolean => state.is === 'held' && state.why === returned;

export const returned = 'returned';

/** Nobody has it yet, as far as is known. */
export function isOutstanding(message: Message): boolean {
  return isWaiting(message) || message.state.is === 'typed';
}

export function isOpen(message: Message): boolean {
  return isOutstanding(message) || message.state.is === 'accepted';
}

/** The agent may have it from us, or its human may. A prompt that names any other message proves nothing. */
export function mayHave({ state }: Message): boolean {
  switch (state.is) {
    case 'typed':
    case 'accepted':
      return true;
    case 'queued':
    case 'held':
      return state.given === true;
    default:
      return false;
  }
}

/** The header keeps a leading `!` or `/` from being a command, and lets the prompt fact name its message. */
export function headerOf(message: Message): string {
  const from = message.from.kind === 'session' ? `${message.from.name} (${message.from.id})` : 'the user';
  return `[sm] from ${from} #${message.id}:`;
}

export function promptOf(messages: readonly Message[]): string {
  return messages
    .map((message) => (message.headed ? `${headerOf(message)}\n${written(message)}` : written(message)))
    .join('\n\n');
}

const written = (message: Message): string => message.shown ?? message.text;

/** What every prompt of ours begins with: a header, or the first line of a text that others know. */
export const firstLineOf = (prompt: string): string => prompt.split('\n', 1)[0] as string;

/**
 * The messages that stand in a prompt, in their order there: by their headers, and of the given ones also those that
 * go without a header, whose text has to be a part of its own. Each place counts for one message.
 */
export function messageIdsIn(prompt: string, given: readonly Message[] = []): MessageId[] {
  const headers = prompt.matchAll(/^\[sm\] from [^\n]* #([a-z0-9]{8}):$/gm);
  const found = [...headers].map(({ index, 1: id }) => ({ place: index, id: id as string }));
  let rest = `\n\n${prompt.trimEnd()}\n\n`;
  for (const message of given) {
    if (message.headed) continue;
    const text = written(message).trimEnd();
    const place = rest.indexOf(`\n\n${text}\n\n`);
    if (place < 0) continue;
    found.push({ place, id: message.id });
    rest = rest.slice(0, place + 2) + '\0'.repeat(text.length) + rest.slice(place + 2 + text.length);
  }
  return found.sort((a, b) => a.place - b.place).map(({ id }) => id);
}

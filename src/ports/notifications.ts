// Notifications: what a person is told of, by rules, through channels of his own choice.

import type { MessageId, Named, SessionId } from '../domain/core/names.ts';
import type { Occasion } from '../domain/core/occasion.ts';

export interface Notification {
  readonly occasion: Occasion;
  readonly session: Named;
  /** `login (35c21191)` */
  readonly title: string;
  /** What happened, in one line, without who. */
  readonly text: string;
  /** Where the page shows it; null: the page has no address that another device could reach. */
  readonly link: string | null;
  /** The question that can be answered; null: there is none. */
  readonly question: string | null;
  readonly test: boolean;
}

export type Sent =
  | { readonly is: 'done'; readonly receipt?: string }
  | { readonly is: 'no-device'; readonly why: string }
  /**
   * `again`: it may well work later; `afterMs`: not before, by the word of the other side. `status`: what it answered, if
   * it did.
   */
  | {
      readonly is: 'failed';
      readonly why: string;
      readonly again: boolean;
      readonly afterMs?: number;
      readonly status?: number;
    };

/** What reaches the person. */
export interface Sender {
  /** Whom it tells, each for himself. */
  readonly recipients: readonly string[];
  send(to: string, notification: Notification, signal: AbortSignal): Promise<Sent>;
  /** What keeps it from working, apart from sending; null: nothing. */
  problem?(): string | null;
  /** `changed`: to be called when `problem` may have. */
  start?(changed: () => void): void;
  stop?(): Promise<void>;
}

/** What the person does through a channel. Each says what came of it, in words for him. */
export interface Acts {
  answer(answer: {
    readonly session: SessionId;
    readonly question: string;
    readonly decision: 'allow' | 'deny';
    readonly via: string;
  }): Promise<Done>;
  /** `id`: the same message that comes again is sent once. */
  send(message: {
    readonly session: SessionId;
    readonly text: string;
    readonly id: MessageId;
    readonly via: string;
  }): Promise<Done>;
}

export interface Done {
  readonly ok: boolean;
  readonly text: string;
}

export interface NotifyRule {
  readonly when: readonly Occasion[];
  /** Which sessions, by a selector; null: all of them. */
  readonly sessions: string | null;
  /** Only that session, by its name or id, and all below it; null: all of them. */
  readonly family: string | null;
  /** Only sessions whose work no other session waits for. */
  readonly withoutParent: boolean;
  /** The channels, in this order. */
  readonly tell: readonly string[];
  /** How long it must last before anybody is told; null: as the occasion has it. */
  readonly afterSeconds: number | null;
  /** After how long the next channel is told, if it still lasts; 0: all of them at once. */
  readonly nextAfterSeconds: number;
  readonly throughQuietHours: boolean;
}

/** Minutes of the day, local time. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** The name of its channel among tellings. */
export const notifyChannel = (name: string): string => `notify.${name}`;

export interface ChannelState {
  readonly name: string;
  readonly kind: string;
  /** Why it does not work; null: nothing is known against it. */
  readonly problem: string | null;
  readonly lastSentAt: number | null;
}

/** Those that do not work. */
export interface BrokenChannels {
  names(): readonly string[];
  onChange(heard: () => void): () => void;
}

export interface Notifications {
  readonly broken: BrokenChannels;
  /** What browsers subscribe with; null: no channel pushes. */
  readonly pushKey: string | null;
  channels(): Promise<readonly ChannelState[]>;
  /** Null: there is no such channel. */
  test(name: string): Promise<readonly Tested[] | null>;
}

export interface Tested {
  readonly to: string;
  readonly sent: Sent;
}

// The small words that everything else is made of: who, which, and what proves it.

export type SessionId = string;

/** A session as others are told of it. */
export interface Named {
  readonly id: SessionId;
  readonly name: string;
}

/** Who asked for something: a session, or the person. */
export type Actor =
  | { readonly kind: 'session'; readonly id: SessionId }
  /** `via`: from where, if that helps to tell one act of his from another. */
  | { readonly kind: 'person'; readonly via?: string };

export const person: Actor = { kind: 'person' };

export type MessageId = string;

export type Mode = 'sequential' | 'important' | 'urgent';

export const modes: readonly Mode[] = ['sequential', 'important', 'urgent'];

/** Who wrote it; the name is kept as it was then. */
export type Sender =
  | { readonly kind: 'session'; readonly id: SessionId; readonly name: string }
  | { readonly kind: 'person' }
  | { readonly kind: 'sm' };

/** What proves a state: where it came from, and its id there. */
export interface Evidence {
  readonly source: 'hook' | 'transcript' | 'notification' | 'screen';
  readonly id: string;
  readonly at: number;
}

/** In seconds since the last status, or since the message that asks for it was accepted. */
export interface Thresholds {
  readonly soft: number;
  readonly hard: number;
}

export type Key = 'Enter' | 'Escape' | 'Tab' | 'Up' | 'Down' | 'Space' | 'BSpace' | 'C-c';

/** Of who asked for something only the id is known here. */
export const asSender = (by: Actor): Extract<Sender, { kind: 'session' | 'person' }> =>
  by.kind === 'session' ? { kind: 'session', id: by.id, name: '' } : by;

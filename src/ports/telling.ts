// Telling somebody outside of an occasion: each telling is owed before it begins, and has an end.
import type { SessionId } from '../domain/core/names.ts';
import type { Occasion } from '../domain/core/occasion.ts';

export interface Telling {
  /** Made of the event, the channel and whom it tells: the same is never owed twice. */
  readonly id: string;
  readonly event: number;
  readonly sessionId: SessionId;
  readonly occasion: Occasion;
  readonly channel: string;
  /** Whom the channel tells: for programs, the trigger. */
  readonly to: string;
  readonly at: number;
  readonly state: TellingState;
}

export type TellingState =
  | { readonly is: 'owed' }
  /** `process`: what does it, where there is one. */
  | { readonly is: 'begun'; readonly at: number; readonly process: ProcessName | null }
  | ToldState;

export type ToldState = { readonly at: number } & (
  | { readonly is: 'done' }
  /** `unknown`: we died in between, and nobody can say. `dropped`: it never began. */
  | { readonly is: 'failed' | 'unknown' | 'dropped'; readonly why: string }
);

export interface ProcessName {
  readonly pid: number;
  readonly startedAt: string | null;
}

/** What tellings a store keeps. */
export interface Tellings {
  /** Up to which event it is known who is to be told; null: nobody ever asked. */
  mark(): Promise<number | null>;
  /** Owes these, for all events up to that one, all or none of them; null: nobody asks any more. */
  owe(mark: number | null, tellings: readonly Telling[]): Promise<void>;
  put(telling: Telling): Promise<void>;
  /** Those that are owed or begun, in the order in which they were owed. */
  open(): Promise<Telling[]>;
  /** The last one that was told by that channel to that one. */
  lastTo(channel: string, to: string): Promise<Telling | null>;
}

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
  /** Whom the channel tells: for programs, the trigger; for notifications, what the channel calls a recipient. */
  readonly to: string;
  readonly at: number;
  readonly state: TellingState;
}

export type TellingState =
  /** `due`: not before then. `tries`: how often it has failed; `why`: what it waits for, or failed of. */
  | { readonly is: 'owed'; readonly due?: number; readonly tries?: number; readonly why?: string }
  /** `process`: what does it, where there is one. */
  | {
      readonly is: 'begun';
      readonly at: number;
      readonly process: ProcessName | null;
      readonly tries?: number;
    }
  | ToldState;

export type ToldState =
  /** `receipt`: what the other side calls it. */
  | { readonly is: 'done'; readonly at: number; readonly receipt?: string }
  /**
   * `unknown`: we died in between, and nobody can say. `dropped`: it never began. `suppressed`: a rule was against it.
   * `no-device`: there is nobody whom the channel could reach.
   */
  | {
      readonly is: 'failed' | 'unknown' | 'dropped' | 'suppressed' | 'no-device';
      readonly at: number;
      readonly why: string;
    };

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
  /** The last one that was done of a session. */
  lastDone(channel: string, to: string, sessionId: SessionId): Promise<Telling | null>;
  /** How the last one of a channel ended that was sent, or could not be; null: there was none. */
  lastSent(channel: string): Promise<Telling | null>;
  /** What the other side calls so. */
  withReceipt(channel: string, receipt: string): Promise<Telling | null>;
  /** One that has ended, and that no event has owed. */
  record(telling: Telling): Promise<void>;
  /** The last of these channels, the newest first; also those that are open. */
  log(channels: readonly string[], limit: number): Promise<Telling[]>;
}

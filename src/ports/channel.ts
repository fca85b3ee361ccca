// A channel: one way to tell somebody outside.
import type { Occasion } from '../domain/core/occasion.ts';
import type { StoredEvent } from './store.ts';
import type { ProcessName, Telling, ToldState } from './telling.ts';

export interface Channel {
  readonly name: string;
  /** How many it tells at the same time. */
  readonly atOnce: number;
  /** Whether one that had begun when the daemon died is begun again: rather twice than not at all. */
  readonly again: boolean;
  /** Whom it tells of this. */
  recipients(occasion: Occasion, event: StoredEvent): Promise<readonly Recipient[]>;
  tell(telling: Telling, event: StoredEvent, how: How): Promise<Outcome>;
  /** What became of one is stored. */
  told?(): void;
  /** Ends what a daemon that died has left running. */
  endOrphan?(process: ProcessName): Promise<void>;
}

export interface Recipient {
  readonly to: string;
  /** Not before this time; absent: at once. */
  readonly due?: number;
}

type WithoutTime<State> = State extends { readonly at: number } ? Omit<State, 'at'> : never;

export type Outcome =
  | WithoutTime<ToldState>
  /** It is told at that time; `tries`: how often it has failed. */
  | { readonly is: 'later'; readonly due: number; readonly tries: number; readonly why: string };

export interface How {
  /** The daemon stops: it is to end at once. */
  readonly signal: AbortSignal;
  /** What does it is told, where that is a process. */
  begun(process: ProcessName): Promise<void>;
}

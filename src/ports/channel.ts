// A channel: one way to tell somebody outside.
import type { Occasion } from '../domain/core/occasion.ts';
import type { StoredEvent } from './store.ts';
import type { ProcessName, Telling } from './telling.ts';

export interface Channel {
  readonly name: string;
  /** Whom it tells of this. */
  recipients(occasion: Occasion, event: StoredEvent): Promise<readonly string[]>;
  /** Says why it failed; null: it is done. `process` is told what does it. */
  tell(telling: Telling, event: StoredEvent, how: How): Promise<string | null>;
  /** Ends what a daemon that died has left running. */
  endOrphan(process: ProcessName): Promise<void>;
}

export interface How {
  /** The daemon stops: it is to end at once. */
  readonly signal: AbortSignal;
  begun(process: ProcessName): Promise<void>;
}

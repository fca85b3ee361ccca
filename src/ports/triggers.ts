// Triggers: programs of the user's that run at occasions.
import type { Occasion } from '../domain/core/occasion.ts';
import type { Session } from '../domain/core/session.ts';

export interface Trigger {
  readonly name: string;
  readonly when: readonly Occasion[];
  /** Which sessions, by a selector; null: all of them. */
  readonly sessions: string | null;
  /** The program and its arguments. */
  readonly run: readonly string[];
  readonly seconds: number;
}

/** The channel of tellings that runs them. */
export const triggerChannel = 'program';

export interface Triggers {
  readonly all: readonly Trigger[];
  /** Runs those for this occasion that mean the session, or all of them where none is named. */
  test(occasion: Occasion, session: Session | null): Promise<readonly Tried[]>;
}

export interface Tried {
  readonly trigger: string;
  /** Why it failed; null: it did not. */
  readonly why: string | null;
  readonly output: string;
}

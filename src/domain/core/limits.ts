// What an account may use, as its agents tell it, and a session that stands still because nothing is left.
import type { MessageId } from './names.ts';

/** One of the times within which an account may use so much. */
export interface LimitWindow {
  /** `5h`, `week`, or the agent's own name for it. */
  readonly name: string;
  /** In percent. */
  readonly used: number;
  readonly resetsAt: number | null;
}

/** The last that the agent told. */
export interface Limits {
  readonly at: number;
  readonly windows: readonly LimitWindow[];
}

/** The agent has used up its limit, and said so at the end of a turn. It goes on in one turn, after the reset. */
export interface Standstill {
  /** The turn that the limit cut. */
  readonly turn: string | null;
  readonly since: number;
  /** The agent's words. */
  readonly text: string;
  /** When the limit resets; null: nobody has told. */
  readonly until: number | null;
  /** The one message by which it is let go on; null: its time has not come. */
  readonly resume: MessageId | null;
}

/** When everything that is used up will have been reset; null: nobody has told, or nothing is used up. */
export function resetOf(limits: Limits | null): number | null {
  const times = (limits?.windows ?? []).flatMap(({ used, resetsAt }) =>
    used >= 100 ? (resetsAt ?? []) : [],
  );
  return times.length > 0 ? Math.max(...times) : null;
}

/** It waits for the reset, and nothing is typed into it. */
export const isStandingStill = (session: { readonly standstill: Standstill | null }): boolean =>
  session.standstill?.resume === null;

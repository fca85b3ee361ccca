// What an agent without a terminal says, as its provider reads it line by line.
import type { Fact } from '../domain/core/fact.ts';
import type { ToldCall } from '../domain/policy/call.ts';
import type { Heard, RequestId } from './connection.ts';

export interface Reader {
  /** `at`: where the line begins. */
  line(text: string, at?: number): Line;
  /** Nothing is under way: what was read so far need not be read again. */
  readonly atRest: boolean;
}

/** What came of one line. */
export interface Line {
  readonly told: readonly Told[];
  /** When it was said, where the agent says that. */
  readonly at?: number | null;
  /** The answer to a request of ours. */
  readonly answers?: { readonly id: RequestId; readonly heard: Heard };
  /** A request that is told as a question, now or when its turn has come. */
  readonly asks?: RequestId;
  /** It is no message at all. */
  readonly nonsense?: boolean;
}

export interface Told {
  readonly fact: Fact;
  /** The request that waits for the answer to this fact. */
  readonly asked?: RequestId;
  /** What is asked about, where that is known. */
  readonly call?: ToldCall | null;
  /** Of a question: where its own line begins, which may be an earlier one. */
  readonly of?: number;
}

/** Written by our launcher when a new process begins: nothing of the old one goes on. */
export const launchMark = 'sm/launched';

/** Of what it says, so much is kept. */
export const longestWords = 16_384;

// What an input is answered that is not taken: a code, what stands against it for programs, and words for people.
import type { MessageId, Named } from './names.ts';
import { displayName, isRetired, named, type Phase, phaseOf, type Session } from './session.ts';

export interface Refusal {
  readonly code: 'invalid' | 'forbidden' | 'conflict' | 'not-found';
  /** What happened and why, for whoever has no words of his own for it. */
  readonly message: string;
  /** None: nothing that a program could act on. */
  readonly data?: RefusalData;
}

export type RefusalData =
  | { readonly is: 'no-session'; readonly ref: string }
  | { readonly is: 'several-sessions'; readonly ref: string; readonly sessions: readonly Named[] }
  | { readonly is: 'no-message'; readonly ref: string }
  | {
      readonly is: 'several-messages';
      readonly ref: string;
      readonly messages: readonly { readonly id: MessageId; readonly text: string }[];
    }
  /** Too late to take it back. `state`: null for one that is over and forgotten here. */
  | { readonly is: 'not-waiting'; readonly message: MessageId; readonly state: string | null }
  /** `may`: the relations to the session that would do. */
  | {
      readonly is: 'not-allowed';
      readonly session: Named;
      readonly act: string;
      readonly may: readonly string[];
    }
  | { readonly is: 'not-running'; readonly session: Named; readonly phase: Phase }
  | { readonly is: 'running'; readonly session: Named }
  | { readonly is: 'no-terminal'; readonly session: Named }
  | { readonly is: 'no-question'; readonly session: Named }
  | { readonly is: 'name-taken'; readonly name: string }
  | { readonly is: 'locked'; readonly by: Named; readonly workspace: string; readonly reason: string };

/** Nothing can be done with it now: it has not started, it has ended, or somebody kills it. */
export function notRunning(session: Session): Refusal {
  const killed = isRetired(session) || session.process.state === 'ending';
  const phase = killed ? 'exited' : phaseOf(session);
  return {
    code: 'conflict',
    message: `${displayName(session)} (${session.id}) ${killed ? 'was killed' : `is ${phase}`}.`,
    data: { is: 'not-running', session: named(session), phase },
  };
}

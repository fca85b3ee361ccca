// What an input is answered that is not taken: a code, what stands against it for programs, and a plain sentence. What
// to do about it is for each face to say: here nobody knows of commands or buttons.
import type { MessageId, Named } from './names.ts';
import { isRetired, nameAndId, named, type Phase, phaseOf, type Session } from './session.ts';
import type { Worktree } from './worktree.ts';

/** A request that makes no sense may do without data: the sentence says what is wrong with it. */
export type Refusal =
  | { readonly code: 'invalid'; readonly message: string; readonly data?: RefusalData }
  | {
      readonly code: 'forbidden' | 'conflict' | 'not-found';
      readonly message: string;
      readonly data: RefusalData;
    };

export type RefusalData =
  | {
      readonly is:
        | 'no-session'
        | 'no-message'
        | 'no-reminder'
        | 'no-rule'
        | 'no-device'
        | 'no-comment'
        | 'no-channel';
      readonly ref: string;
    }
  | { readonly is: 'several-sessions'; readonly ref: string; readonly sessions: readonly Named[] }
  | { readonly is: 'several-rules'; readonly ref: string; readonly rules: readonly string[] }
  | {
      readonly is: 'several-messages';
      readonly ref: string;
      readonly messages: readonly { readonly id: MessageId; readonly text: string }[];
    }
  | { readonly is: 'id-taken'; readonly id: string }
  | { readonly is: 'name-taken'; readonly name: string }
  /** `session` has the name now; `killed` had it before. */
  | { readonly is: 'name-passed-on'; readonly session: Named; readonly killed: string }
  | { readonly is: 'conversation-taken'; readonly session: Named; readonly killed: boolean }
  /** `pid`: of the process that has it; null: it runs elsewhere. `session`: that was to go on with it. */
  | {
      readonly is: 'conversation-open';
      readonly conversation: string;
      readonly pid: number | null;
      readonly session?: Named;
    }
  | { readonly is: 'no-conversation'; readonly ref: string }
  | { readonly is: 'place-taken'; readonly team: string; readonly member: string; readonly by: Named }
  /** Too late to take it back. `state`: null for one that is over and forgotten here. */
  | { readonly is: 'not-waiting'; readonly message: MessageId; readonly state: string | null }
  /** `may`: the relations to the session that would do. */
  | {
      readonly is: 'not-allowed';
      readonly session: Named;
      readonly act: string;
      readonly may: readonly string[];
    }
  | {
      readonly is: 'only-a-person';
      readonly act:
        | 'write-rules'
        | 'allow-setup'
        | 'try-programs'
        | 'sign-in'
        | 'adopt'
        | 'forget-node'
        | 'try-channel';
    }
  /** Whoever came with this session's key. */
  | { readonly is: 'not-yourself'; readonly session: string }
  | { readonly is: 'not-running' | 'no-turn'; readonly session: Named; readonly phase: Phase }
  | { readonly is: SessionRefusal; readonly session: Named }
  | { readonly is: 'asks' | 'another-question'; readonly session: Named; readonly question: string }
  /** It was asked for, begun, and did not come to its end. */
  | {
      readonly is: 'not-done';
      readonly act: 'clear' | 'interrupt' | 'take-over' | 'slash' | 'press' | 'resize' | 'answer';
      readonly session: Named;
      readonly why: string;
    }
  | {
      readonly is: 'too-many';
      readonly of: 'reminders' | 'commands' | 'comments';
      readonly session: Named;
      readonly most: number;
    }
  | { readonly is: 'old-process'; readonly session: Named; readonly pid: number | null }
  | { readonly is: 'variables-gone'; readonly session: Named; readonly names: readonly string[] }
  | { readonly is: 'locked'; readonly by: Named; readonly workspace: string; readonly reason: string }
  | { readonly is: 'holds-another' | 'own-lock'; readonly workspace: string }
  | { readonly is: 'worktree'; readonly session: Named; readonly state: Worktree['state']['is'] }
  | { readonly is: 'worktree-in-use'; readonly session: Named; readonly by: readonly Named[] }
  /** A script that runs beside the session, and that nobody has read. */
  | { readonly is: 'setup-not-allowed'; readonly directory: string }
  | { readonly is: 'gives-away'; readonly pattern: string }
  | { readonly is: 'configured-rule'; readonly rule: string }
  /** `lost`: it was asked, and nobody has heard its answer. */
  | { readonly is: 'node-away'; readonly node: string; readonly why: string; readonly lost?: boolean }
  | { readonly is: 'id-taken'; readonly id: string }
  | { readonly is: 'session-gone' | 'bad-configuration' | 'wrong-code' }
  | {
      readonly is: 'nothing-to-review';
      readonly directory: string;
      readonly of: 'repository' | 'changes' | 'revision';
    };

/** What is said of a session, and needs nothing more. */
export type SessionRefusal =
  | 'running'
  | 'working'
  | 'clearing'
  | 'typing'
  | 'rotating'
  | 'moving'
  | 'no-twin'
  | 'has-terminal'
  | 'no-work-done'
  | 'nothing-said'
  | 'no-handoff'
  | 'no-terminal'
  | 'no-question'
  | 'no-call'
  | 'already-answered'
  | 'no-waiting-hook'
  | 'no-lock'
  | 'no-worktree'
  | 'cannot-rotate'
  | 'cannot-finish'
  | 'cost-unknown'
  | 'no-diff';

export const invalid = (message: string, data?: RefusalData): Refusal => ({
  code: 'invalid',
  message,
  ...(data && { data }),
});

export const conflict = (message: string, data: RefusalData): Refusal => ({
  code: 'conflict',
  message,
  data,
});

/** Of a session of which nothing more is to be told than this. */
export const stands = (session: Session, is: SessionRefusal, message: string): Refusal =>
  conflict(message, { is, session: named(session) });

/** Nothing can be done with it now: it has not started, it has ended, or somebody kills it. */
export function notRunning(session: Session, message?: string): Refusal {
  const killed = isRetired(session) || session.process.state === 'ending';
  const phase = killed ? 'exited' : phaseOf(session);
  return conflict(message ?? `${nameAndId(session)} ${killed ? 'was killed' : `is ${phase}`}.`, {
    is: 'not-running',
    session: named(session),
    phase,
  });
}

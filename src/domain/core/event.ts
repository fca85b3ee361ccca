// Events: the history of a session, in the order in which it was decided. One kind for each thing; what has happened to
// it is the event's `step`, or the `state` that a message has come to.

import type { MessageEnd, TurnEnd } from './ending.ts';
import type { Actor, Evidence, Mode, Sender } from './names.ts';
import type { Origin } from './session.ts';

export type EventBody =
  | SessionEvent
  | ContextEvent
  | UsageEvent
  | TurnEvent
  | QuestionEvent
  | MessageEvent
  | CommandEvent
  | ClearEvent
  | InterruptEvent
  | CompactionEvent
  | HandoffEvent
  | ReminderEvent
  | OneShotEvent
  | LimitEvent
  | BudgetEvent
  | LockEvent
  | ScreenEvent
  | WorktreeEvent
  | CommentEvent
  /** Words of an agent that has no terminal. */
  | { readonly type: 'said'; readonly turn: string | null; readonly text: string }
  | { readonly type: 'task-set'; readonly task: string }
  | {
      readonly type: 'tagged';
      readonly by: Actor;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly type: 'status-reported'; readonly text: string }
  | { readonly type: 'watched'; readonly watch: string; readonly by: string; readonly seconds: number }
  | { readonly type: 'monitor-set'; readonly enabled: boolean; readonly notify: string | null }
  | { readonly type: 'key-pressed'; readonly press: string; readonly key: string; readonly outcome: string }
  /** Somebody was told something: about a message, or about the session. */
  | {
      readonly type: 'notice-posted';
      readonly message: string | null;
      readonly to: string;
      readonly about: string;
      readonly notice: string;
    }
  /** Where the session works, another branch or commit is checked out. */
  | {
      readonly type: 'checked-out';
      readonly repository: string | null;
      readonly branch: string | null;
      readonly commit: string | null;
    }
  /** The agent says itself which version it is, and it is another one than was known. */
  | { readonly type: 'agent-version'; readonly version: string }
  | { readonly type: 'agent-model'; readonly model: string }
  /** A fact that changed nothing, and why. */
  | { readonly type: 'fact-set-aside'; readonly fact: string; readonly why: string };

export type SessionEvent = { readonly type: 'session' } & (
  | {
      readonly step: 'created';
      readonly provider: string;
      readonly name: string;
      readonly workingDir: string;
      readonly parentId: string | null;
      readonly forkedFrom?: Omit<Origin, 'providerId'>;
    }
  | { readonly step: 'launched'; readonly pid: number; readonly agentVersion: string | null }
  | { readonly step: 'ready'; readonly providerId: string | null; readonly evidence: Evidence }
  | { readonly step: 'renamed'; readonly name: string }
  | { readonly step: 'adopted' }
  | {
      readonly step: 'exited';
      readonly code: number | null;
      readonly signal: number | null;
      /** One line. */
      readonly reason: string;
      readonly screen: string | null;
      /** Somebody wanted it to end. */
      readonly killed: boolean;
      /** Why it never ran; absent: it did. */
      readonly notStarted?: string;
    }
  | { readonly step: 'lost'; readonly reason: string }
  | { readonly step: 'killed'; readonly by: Actor }
  | { readonly step: 'restored'; readonly by: Actor; readonly resumed: boolean }
  /** Another kind of agent goes on with its conversation. */
  | { readonly step: 'moved'; readonly by: Actor; readonly provider: string; readonly resumed: boolean }
  | { readonly step: 'not-moved'; readonly why: string }
);

export type ContextEvent = { readonly type: 'context'; readonly context: number } & (
  | { readonly step: 'began'; readonly providerId: string | null; readonly by: string }
  | { readonly step: 'ended'; readonly reason: string }
);

/** A sample that the history keeps, or a mark of the context monitor. */
export type UsageEvent = { readonly type: 'usage'; readonly percentage: number } & (
  | {
      readonly step: 'sampled';
      readonly context: number;
      readonly tokens: number | null;
      readonly costUsd: number | null;
    }
  | { readonly step: 'marked'; readonly mark: 'warning' | 'critical' }
);

export type TurnEvent = {
  readonly type: 'turn';
  readonly turn: string | null;
  readonly evidence: Evidence;
} & (
  | { readonly step: 'began'; readonly messages: readonly string[] }
  | { readonly step: 'ended'; readonly end: TurnEnd; readonly lastWords: string | null }
);

export type QuestionEvent = { readonly type: 'question' } & (
  | {
      readonly step: 'asked';
      readonly kind: string;
      readonly text: string;
      /** Absent in older histories. */
      readonly evidence?: Evidence;
    }
  /** Somebody who is not at the pane has answered; `answer` names that answer in what follows. */
  | {
      readonly step: 'answered';
      readonly answer: string;
      readonly by: Actor;
      readonly decision: 'allow' | 'deny';
      readonly text: string | null;
      readonly question: string;
      /** The rule that was written with it. */
      readonly rule?: string;
    }
  /** A rule of the user has answered, so that nobody is asked; `answer` names that answer in what follows. */
  | {
      readonly step: 'ruled';
      readonly answer: string | null;
      readonly decision: 'allow' | 'deny';
      readonly rule: string;
      /** `allow Bash(npm test)` */
      readonly says: string;
      readonly question: string;
    }
  /** The waiting hook has it. */
  | { readonly step: 'answer-taken'; readonly answer: string }
  | { readonly step: 'answer-lost'; readonly answer: string; readonly why: string }
  | { readonly step: 'closed'; readonly why: string }
);

export type MessageEvent = {
  readonly type: 'message';
  readonly message: string;
} & (
  | {
      readonly state: 'queued';
      readonly from: Sender;
      readonly mode: Mode;
      /** It waits again. */
      readonly why?: string;
    }
  | { readonly state: 'held'; readonly why: string }
  | { readonly state: 'typed'; readonly attempt: string }
  | { readonly state: 'accepted'; readonly turn: string | null; readonly evidence: Evidence }
  /** Its turn has ended by itself. */
  | { readonly state: 'answered'; readonly turn: string | null }
  /** Its turn has ended otherwise; without a turn, it never reached the agent. */
  | {
      readonly state: Exclude<MessageEnd, 'answered'>;
      readonly turn?: string | null;
      readonly why: string;
    }
  | { readonly state: 'withdrawn' | 'expired'; readonly why: string }
);

/** On what the session has changed. `comments`: their ids. */
export type CommentEvent = { readonly type: 'comment'; readonly comments: readonly string[] } & (
  | { readonly step: 'added'; readonly path: string; readonly line: number; readonly by: Actor }
  | { readonly step: 'deleted'; readonly by: Actor }
  | { readonly step: 'sent'; readonly message: string }
);

/** A command of the agent's own. */
export type CommandEvent = { readonly type: 'command'; readonly command: string } & (
  | { readonly step: 'queued'; readonly id: string; readonly by: Actor }
  /** Its keys went out. */
  | { readonly step: 'typed'; readonly id: string }
  | { readonly step: 'failed'; readonly id?: string; readonly why: string }
);

/** `expected`: a client is about to type it. */
export type ClearEvent = { readonly type: 'clear' } & (
  | { readonly step: 'expected'; readonly by: string | null }
  | { readonly step: 'asked'; readonly by: Actor }
  | { readonly step: 'done'; readonly by: Actor; readonly context: number }
  | { readonly step: 'failed'; readonly why: string }
);

/** Somebody wants the turn to end. What proves that it did is the end of the turn. */
export type InterruptEvent = { readonly type: 'interrupt' } & (
  | { readonly step: 'asked'; readonly by: Actor }
  | { readonly step: 'failed'; readonly why: string }
);

export type CompactionEvent = {
  readonly type: 'compaction';
} /** Without its evidence in older histories. */ & (
  | { readonly step: 'began'; readonly trigger: string; readonly evidence?: Evidence }
  /** `overdue`: nothing proved it; it was only believed in for long enough. */
  | { readonly step: 'ended'; readonly why: string; readonly overdue: boolean }
);

export type HandoffEvent = { readonly type: 'handoff' } & (
  | { readonly step: 'prepared'; readonly path: string }
  | { readonly step: 'scheduled'; readonly path: string; readonly auto: boolean }
  | { readonly step: 'clearing'; readonly path: string }
  | { readonly step: 'cleared'; readonly message: string }
  | { readonly step: 'done'; readonly path: string; readonly context: number }
  | { readonly step: 'failed'; readonly path: string; readonly why: string }
);

/** Of the reminder to report. */
export type ReminderEvent = { readonly type: 'reminder' } & (
  | { readonly step: 'started'; readonly soft: number; readonly hard: number }
  | { readonly step: 'restarted'; readonly why: string }
  | { readonly step: 'sent'; readonly kind: 'soft' | 'hard'; readonly message: string }
  /** So many urgent ones in a row that no status has followed: the session is silent. */
  | { readonly step: 'unheeded'; readonly times: number }
  | { readonly step: 'ended'; readonly why: string }
);

/** `due`: when it comes first. */
export type OneShotEvent = { readonly type: 'one-shot'; readonly reminder: string } & (
  | { readonly step: 'set'; readonly due: number; readonly every: number | null }
  | { readonly step: 'sent'; readonly message: string }
  /** It has waited so long for a compaction that it goes in spite of it. */
  | { readonly step: 'forced'; readonly seconds: number }
  | { readonly step: 'cancelled' }
);

/** `told`: what is used of a window of the account. `reached`: nothing is left, and the session stands still. */
export type LimitEvent = { readonly type: 'limit' } & (
  | {
      readonly step: 'told';
      readonly account: string;
      readonly window: string;
      readonly used: number;
      readonly resetsAt: number | null;
    }
  | {
      readonly step: 'reached';
      readonly text: string;
      readonly until: number | null;
      readonly evidence: Evidence;
    }
  | { readonly step: 'resumed'; readonly message: string }
  | { readonly step: 'over'; readonly why: string }
);

/** `near`: 80 % is used. `held`, `free`: of every session that a budget holds, also one further up. */
export type BudgetEvent = { readonly type: 'budget' } & (
  | {
      readonly step: 'set';
      readonly family: boolean;
      readonly usd: number | null;
      readonly tokens: number | null;
      readonly by: Actor;
    }
  | { readonly step: 'off'; readonly family: boolean; readonly by: Actor }
  | { readonly step: 'near'; readonly family: boolean; readonly text: string }
  | { readonly step: 'used-up'; readonly family: boolean; readonly text: string }
  /** A part of the cost is. */
  | { readonly step: 'unknown'; readonly family: boolean; readonly text: string }
  | { readonly step: 'held'; readonly why: string }
  | { readonly step: 'free' }
);

export type LockEvent = { readonly type: 'lock'; readonly workspace: string } & (
  | { readonly step: 'taken'; readonly reason: string; readonly enforced: boolean }
  /** `by` nobody: its owner is gone. */
  | { readonly step: 'released'; readonly by: Actor | null; readonly how: string }
  | { readonly step: 'awaited'; readonly wait: string; readonly by: string; readonly seconds: number }
);

/** `unrecognised`: the screen has been unknown for so long that it is told. */
export type ScreenEvent = { readonly type: 'screen' } & (
  | { readonly step: 'unrecognised'; readonly provider: string; readonly agentVersion: string | null }
  | { readonly step: 'recognised' }
);

/** `output`: what the making of it says, line by line. `set-up`: its set-up script has done its work. */
export type WorktreeEvent = { readonly type: 'worktree' } & (
  | { readonly step: 'output'; readonly text: string }
  | { readonly step: 'set-up' }
  | { readonly step: 'removing'; readonly path: string; readonly by: Actor }
  /** All that it had is kept under the ref. */
  | { readonly step: 'removed'; readonly path: string; readonly ref: string }
  | { readonly step: 'kept'; readonly path: string; readonly why: string }
  | { readonly step: 'restored'; readonly path: string; readonly branch: string }
  | { readonly step: 'not-restored'; readonly why: string }
  | {
      readonly step: 'finished';
      readonly how: string;
      readonly branch: string;
      readonly into: string;
      readonly commit: string;
    }
  | { readonly step: 'not-finished'; readonly why: string }
  | {
      readonly step: 'made';
      readonly path: string;
      readonly branch: string;
      readonly base: string;
      readonly commit: string;
    }
);

type NameOf<Body extends EventBody> = Body extends { type: infer Type extends string }
  ? Body extends { state: infer Part extends string } | { step: infer Part extends string }
    ? `${Type} ${Part}`
    : Type
  : never;

/** What happened, in a word or two: `message accepted`, `handoff done`, `said`. */
export type EventName = NameOf<EventBody>;

export type EventNamed<Name extends EventName, Body extends EventBody = EventBody> = Body extends EventBody
  ? Name extends NameOf<Body>
    ? Body
    : never
  : never;

export function eventName(body: EventBody): EventName {
  if ('state' in body) return `${body.type} ${body.state}`;
  return ('step' in body ? `${body.type} ${body.step}` : body.type) as EventName;
}

export const isNamed = <Name extends EventName>(
  body: EventBody,
  ...names: Name[]
): body is EventNamed<Name> => (names as EventName[]).includes(eventName(body));

export interface NewEvent {
  readonly sessionId: string;
  readonly at: number;
  readonly body: EventBody;
}

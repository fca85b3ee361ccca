// Events: the history of a session, in the order in which it was decided.

import type { MessageEnd, TurnEnd } from './ending.ts';
import type { Actor, Evidence, Mode, Sender } from './names.ts';

export type EventBody =
  | {
      readonly type: 'session-created';
      readonly provider: string;
      readonly name: string;
      readonly workingDir: string;
      readonly parentId: string | null;
    }
  /** What the making of its worktree says, line by line. */
  | { readonly type: 'worktree-output'; readonly text: string }
  | {
      readonly type: 'worktree-made';
      readonly path: string;
      readonly branch: string;
      readonly base: string;
      readonly commit: string;
    }
  /** Its set-up script has done its work. */
  | { readonly type: 'worktree-set-up' }
  | { readonly type: 'session-launched'; readonly pid: number; readonly agentVersion: string | null }
  | { readonly type: 'said'; readonly turn: string | null; readonly text: string }
  | { readonly type: 'session-ready'; readonly providerId: string | null; readonly evidence: Evidence }
  | { readonly type: 'session-renamed'; readonly name: string }
  | { readonly type: 'task-set'; readonly task: string }
  | {
      readonly type: 'tagged';
      readonly by: Actor;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly type: 'status-reported'; readonly text: string }
  | { readonly type: 'session-adopted' }
  | {
      readonly type: 'session-exited';
      readonly code: number | null;
      readonly signal: number | null;
      /** One line. */
      readonly reason: string;
      readonly screen: string | null;
    }
  | { readonly type: 'session-lost'; readonly reason: string }
  | { readonly type: 'session-killed'; readonly by: Actor }
  | { readonly type: 'session-restored'; readonly by: Actor; readonly resumed: boolean }
  | {
      readonly type: 'context-began';
      readonly context: number;
      readonly providerId: string | null;
      readonly by: string;
    }
  | { readonly type: 'context-ended'; readonly context: number; readonly reason: string }
  | {
      readonly type: 'turn-began';
      readonly turn: string | null;
      readonly messages: readonly string[];
      readonly evidence: Evidence;
    }
  | {
      readonly type: 'turn-ended';
      readonly turn: string | null;
      readonly end: TurnEnd;
      readonly lastWords: string | null;
      readonly evidence: Evidence;
    }
  /** Without its evidence in histories of before. */
  | { readonly type: 'blocked'; readonly kind: string; readonly text: string; readonly evidence?: Evidence }
  | { readonly type: 'unblocked'; readonly why: string }
  /** Somebody who is not at the pane has answered; `answer` names that answer in what follows. */
  | {
      readonly type: 'question-answered';
      readonly answer: string;
      readonly by: Actor;
      readonly decision: 'allow' | 'deny';
      readonly text: string | null;
      readonly question: string;
    }
  /** A rule of the user has answered, so that nobody is asked; `answer` names that answer in what follows. */
  | {
      readonly type: 'rule-answered';
      readonly answer: string | null;
      readonly decision: 'allow' | 'deny';
      readonly rule: string;
      /** `allow Bash(npm test)` */
      readonly says: string;
      readonly question: string;
    }
  /** The waiting hook has it. */
  | { readonly type: 'answer-taken'; readonly answer: string }
  | { readonly type: 'answer-lost'; readonly answer: string; readonly why: string }
  | { readonly type: 'watched'; readonly watch: string; readonly by: string; readonly seconds: number }
  | { readonly type: 'reminder-started'; readonly soft: number; readonly hard: number }
  | { readonly type: 'reminder-restarted'; readonly why: string }
  | { readonly type: 'reminder-ended'; readonly why: string }
  /** A reminder is in the queue; `reminder` names what was set, if it is no reminder to report. */
  | {
      readonly type: 'reminder-sent';
      readonly kind: 'soft' | 'hard' | 'one-shot' | 'recurring';
      readonly message: string;
      readonly reminder: string | null;
    }
  | {
      readonly type: 'reminder-set';
      readonly reminder: string;
      readonly at: number;
      readonly every: number | null;
    }
  | { readonly type: 'reminder-cancelled'; readonly reminder: string }
  /** It has waited so long for a compaction that it goes in spite of it. */
  | { readonly type: 'reminder-forced'; readonly reminder: string; readonly seconds: number }
  | {
      readonly type: 'lock-taken';
      readonly workspace: string;
      readonly reason: string;
      readonly enforced: boolean;
    }
  /** `by` nobody: its owner is gone. */
  | {
      readonly type: 'lock-released';
      readonly workspace: string;
      readonly by: Actor | null;
      readonly how: string;
    }
  | {
      readonly type: 'lock-awaited';
      readonly workspace: string;
      readonly wait: string;
      readonly by: string;
      readonly seconds: number;
    }
  | { readonly type: 'monitor-set'; readonly enabled: boolean; readonly notify: string | null }
  /** A sample that the history keeps. */
  | {
      readonly type: 'usage-sampled';
      readonly context: number;
      readonly percentage: number;
      readonly tokens: number | null;
      readonly costUsd: number | null;
    }
  | {
      readonly type: 'context-marked';
      readonly mark: 'warning' | 'critical';
      readonly percentage: number;
    }
  | { readonly type: 'handoff-prepared'; readonly path: string }
  | { readonly type: 'handoff-scheduled'; readonly path: string; readonly auto: boolean }
  | { readonly type: 'handoff-clearing'; readonly path: string }
  | { readonly type: 'handoff-cleared'; readonly message: string }
  | { readonly type: 'handoff-done'; readonly path: string; readonly context: number }
  | { readonly type: 'handoff-failed'; readonly path: string; readonly why: string }
  | { readonly type: 'clear-expected'; readonly by: string | null }
  | { readonly type: 'compaction-began'; readonly trigger: string; readonly evidence?: Evidence }
  /** `overdue`: nothing proved it; it was only believed in for long enough. */
  | { readonly type: 'compaction-ended'; readonly why: string; readonly overdue: boolean }
  | { readonly type: 'message-queued'; readonly message: string; readonly from: Sender; readonly mode: Mode }
  | { readonly type: 'message-held'; readonly message: string; readonly why: string }
  | { readonly type: 'message-typed'; readonly message: string; readonly attempt: string }
  | { readonly type: 'message-requeued'; readonly message: string; readonly why: string }
  | {
      readonly type: 'message-accepted';
      readonly message: string;
      readonly turn: string | null;
      readonly evidence: Evidence;
    }
  /** Its turn has ended by itself. */
  | { readonly type: 'message-answered'; readonly message: string; readonly turn: string | null }
  /** Its turn has ended otherwise; without a turn, it never reached the agent. */
  | {
      readonly type: `message-${Exclude<MessageEnd, 'answered'>}`;
      readonly message: string;
      readonly turn?: string | null;
      readonly why: string;
    }
  | { readonly type: 'message-withdrawn'; readonly message: string; readonly why: string }
  | { readonly type: 'message-expired'; readonly message: string; readonly why: string }
  | { readonly type: 'clear-asked'; readonly by: Actor }
  | { readonly type: 'session-cleared'; readonly by: Actor; readonly context: number }
  | { readonly type: 'clear-failed'; readonly why: string }
  | { readonly type: 'interrupt-asked'; readonly by: Actor }
  /** What proves that it was done is the end of the turn. */
  | { readonly type: 'interrupt-failed'; readonly why: string }
  | { readonly type: 'key-pressed'; readonly press: string; readonly key: string; readonly outcome: string }
  | {
      readonly type: 'command-queued';
      readonly id: string;
      readonly command: string;
      readonly by: Actor;
    }
  /** Its keys went out. */
  | { readonly type: 'command-typed'; readonly id: string; readonly command: string }
  | {
      readonly type: 'command-failed';
      readonly id?: string;
      readonly command: string;
      readonly why: string;
    }
  /** Somebody was told something: about a message, or about the session. */
  | {
      readonly type: 'notice-posted';
      readonly message: string | null;
      readonly to: string;
      readonly about: string;
      readonly notice: string;
    }
  /** Looks have shown a screen that is not recognised for so long that it is told. */
  | {
      readonly type: 'screen-unrecognised';
      readonly provider: string;
      readonly agentVersion: string | null;
    }
  | { readonly type: 'screen-recognised' }
  /** Where the session works, another branch or commit is checked out. */
  | {
      readonly type: 'checked-out';
      readonly repository: string | null;
      readonly branch: string | null;
      readonly commit: string | null;
    }
  | { readonly type: 'agent-model'; readonly model: string }
  /** The agent says itself which version it is, and it is another one than was known. */
  | { readonly type: 'agent-version'; readonly version: string }
  /** A fact that changed nothing, and why. */
  | { readonly type: 'fact-set-aside'; readonly fact: string; readonly why: string };

export interface NewEvent {
  readonly sessionId: string;
  readonly at: number;
  readonly body: EventBody;
}

// Everything that can happen to a session comes in as one of these.

import type { Amount, FamilyNews } from './budget.ts';
import type { Checkout } from './checkout.ts';
import type { Comment } from './comment.ts';
import type { EffectResult } from './effect.ts';
import type { FactInput } from './fact.ts';
import type { Message, Sending } from './message.ts';
import type { Actor, Key, MessageId, Sender, SessionId, Thresholds } from './names.ts';
import type { OwnVariables } from './options.ts';
import type { Takeover } from './parts.ts';
import type { Holder, Member, Session, Transcript } from './session.ts';
import type { Settings } from './settings.ts';
import type { FinishOrder, WorktreeProgress } from './worktree.ts';

export type Input =
  | Create
  | { readonly type: 'kill'; readonly by: Actor }
  | {
      readonly type: 'restore';
      readonly by: Actor;
      readonly oldProcess: 'gone' | 'alive';
      /** Whether the agent still has the conversation; if not, it starts a new one under `providerId`. */
      readonly resumable: boolean;
      readonly providerId: string | null;
      /** Whether the conversation that its first one is a copy of is still there, to be copied again. */
      readonly forkable?: boolean;
      readonly env: Readonly<Record<string, string>>;
      /** In place of those that it has. */
      readonly variables?: OwnVariables;
    }
  | ({ readonly type: 'take-over' } & Omit<Takeover, 'effect'>)
  | { readonly type: 'rename'; readonly by: Actor; readonly name: string }
  /** `amount` null: it has none any more. `family`: the budget for it and all of its descendants. */
  | {
      readonly type: 'set-budget';
      readonly by: Actor;
      readonly family: boolean;
      readonly amount: Amount | null;
    }
  | { readonly type: 'set-task'; readonly by: Actor; readonly task: string }
  | {
      readonly type: 'tag';
      readonly by: Actor;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | { readonly type: 'report'; readonly by: Actor; readonly text: string }
  | Send
  | { readonly type: 'comment'; readonly by: Actor; readonly comment: Omit<Comment, 'by' | 'at'> }
  | { readonly type: 'drop-comment'; readonly by: Actor; readonly id: string }
  /** The message that says these comments. */
  | {
      readonly type: 'send-comments';
      readonly by: Actor;
      readonly comments: readonly string[];
      readonly sending: Sending;
    }
  | { readonly type: 'clear'; readonly by: Actor; readonly prompt: Sending | null }
  | { readonly type: 'interrupt'; readonly by: Actor }
  | { readonly type: 'slash'; readonly id: string; readonly command: string; readonly by: Actor }
  | { readonly type: 'press'; readonly id: string; readonly key: Key; readonly by: Actor }
  | { readonly type: 'withdraw'; readonly id: MessageId; readonly by: Actor }
  | {
      readonly type: 'answer';
      readonly by: Actor;
      readonly decision: 'allow' | 'deny';
      /** What the agent is told with a no. */
      readonly text: string | null;
      /** Which question is answered; left out: whichever stands there. */
      readonly question?: string | undefined;
      /** The rule that was written with it, for calls like this one. */
      readonly rule?: string;
    }
  | { readonly type: 'watch'; readonly id: string; readonly by: SessionId; readonly seconds: number }
  | ({ readonly type: 'remind'; readonly by: Actor } & Thresholds)
  | { readonly type: 'stop-reminding'; readonly by: Actor }
  | {
      readonly type: 'remind-once';
      readonly id: string;
      readonly from: Sender;
      readonly seconds: number;
      /** Seconds from one to the next; null: only once. */
      readonly every: number | null;
      readonly text: string;
    }
  | {
      readonly type: 'monitor-context';
      readonly enabled: boolean;
      /** Who hears of the marks besides the agent. */
      readonly notify: SessionId | null;
      readonly by: Actor;
    }
  /** `auto`: not now, but when the context is nearly full. */
  | { readonly type: 'handoff'; readonly by: Actor; readonly path: string; readonly auto: boolean }
  | { readonly type: 'cancel-reminder'; readonly by: Actor; readonly id: string }
  /** The session is to hold the lock on a workspace. */
  | {
      readonly type: 'lock';
      readonly by: Actor;
      readonly workspace: string;
      readonly reason: string;
      readonly enforced: boolean;
    }
  | { readonly type: 'unlock'; readonly by: Actor }
  /** Another session wants to hear when the lock that this one holds is free. */
  | {
      readonly type: 'await-lock';
      readonly id: string;
      readonly by: SessionId;
      readonly seconds: number;
      readonly workspace: string;
    }
  /** A client is about to type `/clear` itself. */
  | { readonly type: 'expect-clear'; readonly by: Extract<Sender, { kind: 'session' }> | null }
  /** The parent, or a child, passes on what it knows of budgets. */
  | { readonly type: 'passed-on'; readonly news: FamilyNews }
  /** The agent of this session has written to another one. */
  | { readonly type: 'wrote'; readonly to: SessionId }
  | FactInput
  | { readonly type: 'result'; readonly effectId: string; readonly result: EffectResult }
  /** The transcript was read up to here, and its facts were taken in. */
  | { readonly type: 'transcript-read'; readonly transcript: Transcript }
  /** The daemon has started and found this session's pane alive. */
  | { readonly type: 'adopted' }
  | {
      readonly type: 'remove-worktree';
      readonly by: Actor;
      /** What the user agreed to lose, because it is too much to keep. */
      readonly giveUp: readonly string[];
    }
  | { readonly type: 'restore-worktree'; readonly by: Actor }
  | { readonly type: 'finish-worktree'; readonly by: Actor; readonly order: FinishOrder }
  /** Something else is checked out where it works. */
  | { readonly type: 'checkout-seen'; readonly checkout: Checkout | null }
  /** Told while its worktree is made. */
  | { readonly type: 'worktree-progress'; readonly progress: WorktreeProgress }
  | { readonly type: 'due' };

/** What a session is given when it is made, and keeps. */
type Given =
  | 'id'
  | 'provider'
  | 'parentId'
  | 'name'
  | 'friendlyName'
  | 'workingDir'
  | 'gitRemoteUrl'
  | 'worktree'
  | 'model'
  | 'options'
  | 'forkedFrom'
  | 'member'
  | 'tags';

export interface Create extends Pick<Session, Given> {
  readonly type: 'create';
  /** What its first conversation is called; null: the agent names it. */
  readonly providerId: string | null;
  /** It goes on with this conversation, which is called `providerId` and was not ours before; read up to here. */
  readonly adopts: Transcript | null;
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: Sending | null;
  readonly budgets?: { readonly own: Amount | null; readonly family: Amount | null };
}

export type Send = { readonly type: 'send' } & Sending;

/** What a decision about one session may ask about the others. */
export interface Others {
  /** Whether a session other than `except` answers to this name. */
  isNameTaken(name: string, except: SessionId): boolean;
  /** The session that has this place in a team; a killed one has lost it. */
  memberOf(member: Member): Session | null;
  /** The session whose present conversation this is: one that was killed is not among them. */
  ownerOf(providerId: string): Session | null;
  /** A session that is in memory. */
  relative(id: SessionId): Session | null;
  /** Those that are in memory. */
  childrenOf(id: SessionId): Iterable<SessionId>;
  /** Whether two sessions have the same eldest ancestor. */
  isFamily(id: SessionId, other: SessionId): boolean;
  readonly settings: Settings;
  /** The session other than `except` that holds the lock on a workspace. */
  lockOn(workspace: string, except: SessionId): Holder | null;
}

export type { Refusal } from './refusal.ts';

/** An unknown message id is a new message; a known one is the row that is there. */
export type Reply = { readonly message?: Message };

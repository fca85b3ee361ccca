// What a session may be in the middle of, part by part. The rooms work on these; what they mean is said there.

import type { Call } from '../policy/call.ts';
import type { Cut, Ending } from './ending.ts';
import type { Sending } from './message.ts';
import type { Actor, Evidence, MessageId, Sender, SessionId, Thresholds } from './names.ts';

/** What keys at the pane wait for: the result of one effect, which alone counts; or the time of the next look. */
export type Awaits = { readonly effect: string } | { readonly lookAt: number };

/** One try at typing messages into the pane. A session has at most one open attempt. */
export type Attempt = {
  readonly id: string;
  /** What it is for. Of a command: whose text it takes out of the composer. */
  readonly messages: readonly MessageId[];
  readonly text: string;
  /**
   * `midTurn`: it may go while a turn runs. `clear`, `slash`: a command of the agent's own, which carries no message; a
   * clear is proven by the new context.
   */
  readonly types:
    | { readonly is: 'messages'; readonly midTurn: boolean }
    | { readonly is: 'clear' }
    | { readonly is: 'slash' };
  /** A prompt that our own Escape brought back stands in the composer: the text goes on top of it. */
  readonly back: { readonly draft: string; readonly messages: readonly MessageId[] } | null;
  readonly awaits: Awaits;
} & (LookingAttempt | TypedAttempt);

/** The pane is looked at. */
export interface LookingAttempt {
  readonly step: 'looking';
  /** Looks in a row that did not allow it. */
  readonly looks: number;
  /** Since when a human scrolls, as far as looks tell. */
  readonly scrolledSince: number | null;
}

/** Keys were sent, or may have been. */
export interface TypedAttempt {
  readonly step: 'typed';
  /** How often the whole text was pasted, and how often Enter alone was pressed again. */
  readonly pastes: number;
  readonly enters: number;
  /** Looks in a row that found no trace of it. */
  readonly looks: number;
  /**
   * We died over the typing, and nobody can say whether the keys went out: the screen as it then was, once it has been
   * looked at. Null: the keys did go out.
   */
  readonly doubt: { readonly screen: string | null } | null;
  /** Messages whose reason went away after they were typed: if they left no trace, they are not typed again. */
  readonly unwanted: readonly MessageId[];
}

export const isCommand = ({ types }: Attempt): boolean => types.is !== 'messages';

type Waiting = { readonly awaits: Awaits } | null | undefined;

/** The effect that is under way for an attempt or an interrupt. */
export const effectOf = (it: Waiting): string | null =>
  it && 'effect' in it.awaits ? it.awaits.effect : null;

/** When the pane is looked at again for it: evidence is missing, or the pane did not allow it. */
export const lookAtOf = (it: Waiting): number | null =>
  it && 'lookAt' in it.awaits ? it.awaits.lookAt : null;

/** A message that may expire where it waits, or that an agent may have had for too long. */
export interface Alarm {
  readonly at: number;
  readonly kind: 'expiry' | 'slow';
  readonly message: MessageId;
}

export interface Clear {
  readonly by: Actor;
  /** The first prompt of the new context. */
  readonly prompt: Sending | null;
  /** When it has failed. */
  readonly until: number;
}

/** Somebody wants the turn that runs to be interrupted. */
export interface Halt {
  readonly by: Actor;
  /** When it has failed. */
  readonly until: number;
  /** Why Escape has not been pressed yet, as far as a look told. */
  readonly held: string | null;
}

export interface ExpectedClear {
  readonly by: Extract<Sender, { kind: 'session' }> | null;
  /** When the turn began that ran at that time, and so belongs to the old conversation; null: none ran. */
  readonly turn: number | null;
}

/** Our own Escape at the turn that runs. */
export type Interrupt = {
  /** The id that the turn had when it began: prompts that are taken up later have others. */
  readonly turn: string | null;
  /** What the turn is cut off for, or who wants it to end. */
  readonly for: Cut | { readonly halt: Sender };
  /** Looks in a row that did not settle it. */
  readonly looks: number;
  readonly awaits: Awaits;
} & ({ readonly step: 'looking' } | PressedInterrupt);

/** `pressing`: Escape is owed, and nobody knows yet whether it went out. `pressed`: it did, or may have. */
export interface PressedInterrupt {
  readonly step: 'pressing' | 'pressed';
  readonly presses: number;
  /** A composer that was empty before our Escape, and is not after it, holds a prompt that came back. */
  readonly composerWasEmpty: boolean;
}

/** The look before a session moves to another kind of agent: only its own result counts. */
export interface Takeover {
  readonly by: Actor;
  /** The kind of agent that goes on with its conversation. */
  readonly to: string;
  readonly resumable: boolean;
  readonly forkable: boolean;
  readonly providerId: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly effect: string;
}

export interface Question {
  readonly kind: 'permission' | 'dialog';
  readonly since: number;
  readonly text: string;
  /** What was asked for; its execution is the proof that the answer was yes. */
  readonly subject: string | null;
  /** The hook that asked it by this fact, and may wait for an answer from afar; null: only the pane can be answered. */
  readonly hook: { readonly fact: string; readonly answer: Answer | null } | null;
  /** What the agent wants to do, where that is known. */
  readonly call: Call | null;
  /** When its parent hears that nobody has answered yet; null once it has. */
  readonly overdueAt: number | null;
}

/** Names one question of a session: it stays the same when a hook tells what was only seen before. */
export const questionId = ({ since }: Question): string => since.toString(36);

/** An answer from afar. */
export interface Answer {
  readonly decision: 'allow' | 'deny';
  readonly by: Actor;
  /** The effect that hands it to the waiting hook; null once the hook has it. */
  readonly effect: string | null;
}

/** A rule has answered before anybody was asked. If the answer gets lost, it becomes a question. */
export interface Ruling {
  readonly question: Question & { readonly hook: NonNullable<Question['hook']> };
  readonly evidence: Evidence;
  readonly rule: string;
  /** The effect that hands the answer to the agent. */
  readonly effect: string;
}

export interface Compaction {
  readonly since: number;
  readonly trigger: string;
}

export interface Cycle {
  /** What was sampled before belongs to an older one. */
  readonly since: number;
  /** The highest mark that it has reached. */
  readonly mark: 'warning' | 'critical' | null;
  /** What it has put into the queue, and takes back when the cycle is over. */
  readonly sent: MessageId | null;
  /** The percentage of the last sample that the history has. */
  readonly kept: number | null;
}

/** Null: as the configuration says. */
export type Monitor = { readonly enabled: boolean; readonly notify: SessionId | null } | null;

/** An agent rotates its own context. */
export type Handoff = {
  readonly path: string;
  /**
   * `idle`: handoffs in a row with no work between them. By the monitor: it waits for a
   * document that is newer than that.
   */
  readonly asked:
    | { readonly by: 'agent'; readonly idle: number }
    | { readonly by: 'monitor'; readonly newerThan: number };
} & HandoffStep;

/** `ending`: how its turn ended. Who waits for that turn is told if the handoff fails; null: no turn ran. */
export type HandoffStep =
  /** Its turn still runs. */
  | { readonly step: 'scheduled' }
  /** Its turn is over. It goes on at that time in spite of background tasks. */
  | { readonly step: 'due'; readonly at: number; readonly ending: Ending | null }
  /** The document is read: only the result of this effect counts. */
  | { readonly step: 'checking'; readonly effect: string; readonly ending: Ending | null }
  /** `copy`: what was kept of the document. */
  | { readonly step: 'clearing'; readonly copy: string; readonly ending: Ending | null }
  /** The context is empty. `message`: the prompt of the new one; `prompted` once its keys went out, or may have. */
  | {
      readonly step: 'cleared' | 'prompted';
      readonly copy: string;
      readonly message: MessageId;
      readonly ending: Ending | null;
    };

/** The message that begins the new context, once there is one. */
export const promptFor = (handoff: Handoff | null): MessageId | null =>
  handoff && 'message' in handoff ? handoff.message : null;

export interface LastHandoff {
  readonly path: string;
  readonly copy: string;
  readonly at: number;
  /** The context that it began. */
  readonly context: number;
  readonly idle: number;
}

export interface Reminder extends Thresholds {
  /** Both thresholds are measured from here. */
  readonly since: number;
  /** Which one comes next in this window. */
  readonly next: 'soft' | 'hard';
  /** Hard ones in a row that no status has followed. */
  readonly unheeded: number;
  /** What it last put into the queue, and takes back when its reason is gone. */
  readonly sent: MessageId | null;
  /** Its turn is over, but background tasks go on: until when it waits for them. */
  readonly until: number | null;
}

export interface OneShot {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly from: Sender;
  /** Seconds from one to the next; null: only once. */
  readonly every: number | null;
  /** What it last put into the queue: of one that recurs, the newest is enough. */
  readonly last: MessageId | null;
}

export interface Lock {
  /** The real path of the git root, or of a directory outside of any. */
  readonly workspace: string;
  readonly reason: string;
  readonly since: number;
  /** Edits of other sessions in the workspace are denied. */
  readonly enforced: boolean;
  readonly waiters: readonly Watcher[];
}

/** Who waits to hear of a lock, or of a session. */
export interface Watcher {
  readonly id: string;
  readonly by: SessionId;
  readonly seconds: number;
  readonly until: number;
}

/** How long nothing has been heard of an agent that should do something: the next look, and what the last one showed. */
export interface Silence {
  readonly lookAt: number;
  /** What the last look showed in place of the turn that should run. It is believed if it stays so until then. */
  readonly quiet: { readonly screen: string; readonly until: number } | null;
}

export interface Unrecognised {
  /** The first of the looks in a row that showed it. */
  readonly since: number;
  /** Who has heard of it; null: it has not lasted long enough to be told. */
  readonly told: readonly SessionId[] | null;
}

export const newCycle = (since: number): Cycle => ({
  since,
  mark: null,
  sent: null,
  kept: null,
});

/** A command of the agent's own that somebody wants typed. */
export type SlashCommand = {
  readonly id: string;
  readonly text: string;
  /** Its place among the messages. */
  readonly order: number;
} & ({ readonly is: 'waiting' } | CommandUnderWay);

export interface CommandUnderWay {
  /**
   * `looking`: its attempt looks at the pane. `sent`: its keys are to go out. `typed`: they went out. `unsure`: we died
   * in between, and nobody can say.
   */
  readonly is: 'looking' | 'sent' | 'typed' | 'unsure';
  readonly attempt: string;
}

// Facts: what an agent, its files, its pane or its process let us know, in words that no provider owns.
import type { Call } from '../policy/call.ts';
import type { ToldEnding } from './ending.ts';
import type { LimitWindow } from './limits.ts';
import type { Bigger, StartSource, Usage } from './session.ts';
import type { Tokens } from './spending.ts';

export interface FactInput {
  readonly type: 'fact';
  /** Names this emission for ever: a fact that comes twice counts once. */
  readonly id: string;
  /** When it was emitted, by the emitter's clock. */
  readonly at: number;
  readonly source: 'hook' | 'transcript' | 'notification' | 'pane';
  readonly fact: Fact;
}

/** `providerId`: the conversation that says it. A fact of another conversation is only recorded. */
export type Fact =
  | {
      readonly is: 'agent-started';
      readonly providerId: string;
      readonly source: StartSource;
      readonly transcriptPath: string | null;
      readonly model: string | null;
    }
  | { readonly is: 'context-ended'; readonly providerId: string; readonly reason: string }
  | {
      readonly is: 'prompt-submitted';
      readonly providerId: string;
      readonly turnId: string | null;
      readonly text: string;
      readonly transcriptPath: string | null;
      /** Messages of ours that the agent itself names; else the text tells which they are. */
      readonly messages?: readonly string[];
    }
  /** A text that was given to the agent during a turn, and that it keeps until a turn takes it up. */
  | { readonly is: 'prompt-enqueued'; readonly providerId: string; readonly text: string }
  /** A text that was given to the agent during a turn, and that this turn has taken up. */
  | {
      readonly is: 'prompt-absorbed';
      readonly providerId: string;
      readonly turnId: string | null;
      readonly text: string;
    }
  /** Something that only a running turn does. `subject`: what it did; a question about that is answered. */
  | {
      readonly is: 'activity';
      readonly providerId: string;
      readonly turnId: string | null;
      readonly subject: string | null;
      /** What it names has been run, by agents that tell that apart from a denial. */
      readonly ran?: true;
      /** Said by agents that take text only while a tool runs. */
      readonly step?: 'tool-began' | 'tool-ended';
    }
  /** Words of the agent, in the middle of a turn or at its end. */
  | {
      readonly is: 'said';
      readonly providerId: string;
      readonly turnId: string | null;
      readonly text: string;
    }
  /** The agent has dropped what it was given during a turn and had not taken up. */
  | { readonly is: 'prompts-dropped'; readonly providerId: string }
  /** The agent has said its last words of this turn; that the turn is over is still to be told, or to be seen. */
  | {
      readonly is: 'turn-closing';
      readonly providerId: string;
      readonly turnId: string;
      readonly lastWords: string | null;
    }
  | ({
      readonly is: 'turn-ended';
      readonly providerId: string;
      readonly turnId: string | null;
    } & ToldEnding)
  | {
      readonly is: 'permission-asked';
      readonly providerId: string;
      readonly turnId: string | null;
      readonly subject: string | null;
      readonly text: string;
      /** What it wants to do, where that is known: a rule may answer it. */
      readonly call?: Call;
    }
  /** A call that a rule denies was stopped, before anybody was asked. */
  | { readonly is: 'call-stopped'; readonly call: Call; readonly text: string }
  | { readonly is: 'compaction-began'; readonly providerId: string; readonly trigger: string }
  | { readonly is: 'compaction-ended'; readonly providerId: string }
  /** A new cycle of usage begins: the context was emptied. */
  | { readonly is: 'usage-reset'; readonly providerId: string }
  | {
      readonly is: 'usage';
      readonly providerId: string;
      readonly usage: Omit<Usage, 'at'>;
      /** Said by agents that name their version along with it. */
      readonly agentVersion?: string;
    }
  /** What the account of the agent may use, and has used. */
  | { readonly is: 'limits'; readonly windows: readonly LimitWindow[] }
  /** What stands on one of its meters by now, and stood there before this step. A meter only grows. */
  | {
      readonly is: 'spent';
      readonly providerId: string;
      readonly meter: string;
      readonly before: Tokens;
      readonly tokens: Tokens;
      readonly model: string | null;
    }
  | {
      readonly is: 'process-exited';
      readonly code: number | null;
      readonly signal: number | null;
      readonly screen: string;
      /** What was ending at the same time, and took it along; absent: nothing that is known. */
      readonly with?: Bigger;
    }
  | { readonly is: 'process-gone'; readonly why: string; readonly with?: Bigger };

/** `unclear`: the screen shows neither that a turn runs nor that none does, as while text streams. */
export type Activity = 'working' | 'idle' | 'unclear';

/** The length of a paste that is shown only by its size: at least, and at most. */
export interface Folded {
  readonly counts: 'line-breaks' | 'characters';
  readonly least: number;
  readonly most: number;
}

/** What a provider makes of a screen. `unknown` means: do not type. */
export type Reading =
  | {
      readonly shows: 'composer';
      readonly draft: string;
      /** The draft is a single paste, which the agent shows only by its size. */
      readonly folded?: Folded;
      readonly activity: Activity;
      /** The last thing that it shows is that its turn was interrupted. */
      readonly interrupted?: boolean;
      readonly stash: boolean;
      /** Texts that the agent was given during the turn and shows as still to be taken up. */
      readonly pending?: string;
      readonly cursor: { readonly x: number; readonly y: number };
    }
  | { readonly shows: 'dialog'; readonly text: string }
  | { readonly shows: 'unknown'; readonly text: string };

/** A look at an agent: at its screen or, where it has none, at what it says of itself. */
export type Look = ScreenLook | AgentLook;

/** What the provider read from the pane, and what it means for typing. */
export interface ScreenLook {
  readonly reading: Reading;
  readonly copyMode: boolean;
  readonly humanActiveAt: number | null;
  /** The visible text, to tell whether anything was drawn between two looks. */
  readonly text: string;
}

/** What an agent without a screen says when it is asked. There is nothing that could be typed over. */
export type AgentLook =
  | { readonly says: 'activity'; readonly activity: Activity }
  | { readonly says: 'question'; readonly text: string }
  | { readonly says: 'nothing'; readonly why: string };

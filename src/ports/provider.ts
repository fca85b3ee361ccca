// The provider port: one kind of agent, with what it can do and how to start it, hear it and read its screen.

import type { Fact, Reading } from '../domain/core/fact.ts';
import type { MidTurn } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import type { Screen } from './terminal.ts';

export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Where its program is, or what to do about it. `path` is the PATH that the agent will have. */
  locate(path: string): Promise<Located>;
  /** What to start; writes the per-session files that the program needs. */
  plan(session: Session, launch: LaunchRequest): Promise<LaunchPlan>;
  /** Whether the session's present conversation can be taken up again: an agent that was killed early kept none. */
  canResume(session: Session): Promise<boolean>;
  /** What a hook's JSON says, in our words. Unknown events say nothing. */
  hookFacts(hook: HookInput): Fact[];
  /** What its hook prints to answer the question that it was called with. */
  hookAnswer(answer: { readonly decision: 'allow' | 'deny'; readonly text: string | null }): string;
  /** For one whose hook can stop an edit before it happens. */
  readonly edits?: EditHook;
  /** What its status line says. */
  statusFacts(status: HookInput): Fact[];
  /**
   * Reads the transcript of a conversation line by line; `turnId` is the turn that ran where the reading begins. Null:
   * it says nothing that is not told otherwise.
   */
  transcript(turnId: string | null, providerId: string | null): TranscriptReader | null;
  /** Which conversations its process has open, oldest first, where that can be seen before any hook tells. */
  conversations?(pid: number): Promise<OpenConversations>;
  /** A text as it is to be pasted, so that it stands in the composer as it is. */
  typed?(text: string): string;
  read(screen: Screen): Reading & { text: string };
}

export interface EditHook {
  /** Which file the hook's tool is about to change, by its absolute path; null: none that is known. */
  file(hook: HookInput): string | null;
  /** What the hook prints to stop it; the agent is told the reason. */
  deny(reason: string): string;
}

export interface OpenConversations {
  readonly open: readonly OpenConversation[];
  /** Something changes in this folder when another one is opened; null while that is not known. */
  readonly folder: string | null;
}

export interface OpenConversation {
  readonly providerId: string;
  readonly transcriptPath: string | null;
}

export interface TranscriptReader {
  line(text: string): Fact | null;
  /** The turn that runs where the reading has come to. */
  readonly turnId: string | null;
}

/** What a provider can do. What it cannot is skipped by these, never by name. */
export interface Capabilities {
  /** Lives in a pane that a human can attach to. */
  readonly pane: boolean;
  readonly resume: boolean;
  readonly compact: boolean;
  readonly permissionDialog: boolean;
  /** Its question can be answered from afar, without its terminal. */
  readonly remoteAnswers: boolean;
  /** A draft can be put aside and comes back by itself. */
  readonly stash: boolean;
  /** When it takes text during a turn without cutting what it says: `anytime`, or only while a tool of its runs. */
  readonly midTurn: MidTurn;
  /** A prompt that is interrupted before any answer comes back into its composer. */
  readonly returnsPrompt: boolean;
  /** It can be told to review a change: `sm review`. */
  readonly reviews: boolean;
  readonly usage: boolean;
  /** A context can be cleared and followed by another, with the clear proven: it can be handed over. */
  readonly handoff: boolean;
  /** Which commands of its own (`/…`) it takes; null: whatever its terminal takes. */
  readonly commands: readonly string[] | null;
  /** It names its conversations itself; otherwise they go by the id that we give. */
  readonly namesConversation: boolean;
}

/** `versionCommand`: the command line that prints its version. */
export type Located =
  | { readonly found: string; readonly versionCommand: readonly string[] }
  | { readonly missing: string };

export interface LaunchRequest {
  /** Null only for a provider that names its conversations. */
  readonly providerId: string | null;
  readonly resume: boolean;
  /** The spawner's environment, cleaned. */
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where something will change when it opens its conversation. */
  readonly conversationsIn?: string;
}

export type HookInput = Readonly<Record<string, unknown>>;

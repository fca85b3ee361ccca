// The driver port: what carries out a session's effects on its agent, once the agent's process runs.

import type { Effect, Typed } from '../domain/core/effect.ts';
import type { FactInput, Look } from '../domain/core/fact.ts';
import type { Key } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import type { Call, ToldCall } from '../domain/policy/call.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Terminal } from './terminal.ts';

export type LaunchEffect = Extract<Effect, { do: 'launch' }>;
export type SubmitEffect = Extract<Effect, { do: 'submit' }>;
export type EscapeEffect = Extract<Effect, { do: 'escape' }>;
export type AnswerEffect = Extract<Effect, { do: 'answer' }>;

export interface Driver {
  /**
   * The process runs: whatever it needs before it can take a prompt. Says why it never will; null otherwise, also when
   * the process has ended meanwhile, which others tell. Safe to do twice.
   */
  begin(session: Session, launch: LaunchEffect): Promise<string | null>;
  /** What was said before the look is known before it is judged. Null: nobody is there. */
  look(session: Session): Promise<Look | null>;
  submit(session: Session, effect: SubmitEffect): Promise<Typed>;
  escape(session: Session, effect: EscapeEffect): Promise<Typed>;
  answer(session: Session, effect: AnswerEffect): Promise<'taken' | 'later' | 'nobody'>;
  /** An answer that may have been given can be given again: the second one does nothing. */
  readonly answersAgain: boolean;
  press(session: Session, key: Key): Promise<Typed>;
  leaveCopyMode(session: Session): Promise<void>;
}

/** One that a provider brings along, for its agents that are not typed to. It also listens to them, and to no other. */
export interface ListeningDriver extends Driver {
  /** Follows, or stops to follow, as the session's state asks for. */
  attend(session: Session): void;
  /** The session is driven by others from now on. */
  leave(id: string): void;
  /** Takes in what the agent has said so far. */
  catchUp(id: string): Promise<void>;
  close(): Promise<void>;
}

/** What such a driver can ask of the daemon. */
export interface DriverDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly uuid: () => string;
  /** Of sm. */
  readonly version: string;
  /** Follows a growing file of lines; `onLine` is awaited, and called again for a line that it failed on. */
  readonly follow: (
    path: string,
    offset: number,
    onLine: (line: string, offset: number) => Promise<void>,
  ) => { catchUp(): Promise<void>; readonly offset: number; close(): Promise<void> };
  readonly session: (id: string) => Session | undefined;
  readonly tell: (id: string, fact: FactInput) => Promise<unknown>;
  /** Finds out where the files of a call are. */
  /** Of an agent that has a pane. */
  readonly terminal: Pick<Terminal, 'look' | 'type'>;
  /** Takes in what the agent has said so far, wherever it said it. */
  readonly hearOut: (id: string) => Promise<void>;
  /** Gives an answer to the hook that told this fact. */
  readonly answerHook: (fact: string, answer: string) => Promise<'taken' | 'nobody'>;
  readonly placeCall: (told: ToldCall, workingDir: string) => Promise<Call>;
  /** Whether the session's process has ended. */
  readonly isDead: (session: Session) => Promise<boolean>;
}

// The driver port: what carries out a session's effects on its agent, once the agent's process runs.

import type { Effect, Typed } from '../domain/core/effect.ts';
import type { Look } from '../domain/core/fact.ts';
import type { Key } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';

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

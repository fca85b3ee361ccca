// For property tests: a model of a pane, of the agent in it and of the human at it, with the semantics that were
// measured on the real ones. It counts what the agent really took, so that nothing can be lost or doubled unseen.
import type { EffectResult, OwedEffect } from '../domain/effect.ts';
import type { Fact, FactInput, Look } from '../domain/fact.ts';
import { factOf, launched } from '../domain/test-session.ts';

/** What may go wrong with a typing: the agent never sees it, or sees no Enter. */
export type Fault = 'none' | 'swallowed' | 'enter lost';

export interface World {
  alive: boolean;
  composer: string;
  scrolled: boolean;
  dialog: boolean;
  /** The turn that really runs. */
  readonly turn: string | null;
  /** Every prompt that the agent took, in order. */
  readonly prompts: readonly string[];
  /** What was said and has not been heard yet, oldest first. */
  readonly unheard: FactInput[];
  look(): Look | null;
  submit(effect: Extract<OwedEffect['effect'], { do: 'submit' }>, fault: Fault): EffectResult;
  launch(effect: Extract<OwedEffect['effect'], { do: 'launch' }>): EffectResult;
  /** The human presses Enter on what stands in the composer. */
  enter(): void;
  /** The human presses Escape, which no hook tells, and the transcript not always. */
  escape(isTold: boolean): void;
  useTool(): void;
  askPermission(): void;
  answerPermission(): void;
  finish(): void;
  die(): void;
}

export function createWorld(now: () => number): World {
  let conversation = 'c1';
  let turn: string | null = null;
  let count = 0;
  const prompts: string[] = [];
  const unheard: FactInput[] = [];

  function say(source: FactInput['source'], fact: Fact): void {
    count += 1;
    unheard.push({ type: 'fact', id: `w${count}`, at: now(), source, fact });
  }

  /** A prompt in the middle of a turn is taken into it. */
  function takePrompt(text: string): void {
    prompts.push(text);
    turn ??= `t${prompts.length}`;
    const fact = factOf({ is: 'prompt-submitted', providerId: conversation, turnId: turn, text });
    say('hook', fact);
    say('transcript', fact);
  }

  const world: World = {
    alive: false,
    composer: '',
    scrolled: false,
    dialog: false,
    get turn() {
      return turn;
    },
    prompts,
    unheard,

    look() {
      if (!world.alive) return null;
      const { composer: draft, dialog, scrolled: copyMode } = world;
      const text = `${prompts.length} prompts, turn ${turn}`;
      if (dialog)
        return {
          reading: { shows: 'dialog', text: 'May I?' },
          canStash: false,
          copyMode,
          humanActiveAt: null,
          text,
        };
      const activity = turn ? 'working' : 'idle';
      const reading = { shows: 'composer', draft, activity, stash: false, cursor: cursorOf(draft) } as const;
      return { reading, canStash: false, copyMode, humanActiveAt: null, text };
    },

    submit({ text, cursor }, fault) {
      if (!world.alive) return { of: 'submit', outcome: 'gone' };
      const moved = cursor.x !== cursorOf(world.composer).x;
      if (moved || world.dialog || world.scrolled) return { of: 'submit', outcome: 'changed' };
      if (fault !== 'swallowed') world.composer += text ?? '';
      if (fault === 'none') world.enter();
      return { of: 'submit', outcome: 'typed' };
    },

    launch({ providerId, resume }) {
      if (world.alive) return launched;
      Object.assign(world, { alive: true, composer: '', scrolled: false, dialog: false });
      conversation = providerId ?? 'c1';
      say(
        'hook',
        factOf({ is: 'agent-started', providerId: conversation, source: resume ? 'resume' : 'startup' }),
      );
      return launched;
    },

    enter() {
      if (!world.alive || world.dialog || world.composer === '') return;
      const text = world.composer;
      world.composer = '';
      takePrompt(text);
    },

    escape(isTold) {
      if (!turn) return;
      if (isTold)
        say('transcript', factOf({ is: 'turn-interrupted', providerId: conversation, turnId: turn }));
      turn = null;
      world.dialog = false;
    },

    useTool() {
      if (turn && !world.dialog)
        say('hook', factOf({ is: 'activity', providerId: conversation, turnId: turn }));
    },

    askPermission() {
      if (!turn || world.dialog) return;
      world.dialog = true;
      say('hook', factOf({ is: 'permission-asked', providerId: conversation, turnId: turn, subject: 'rm' }));
    },

    answerPermission() {
      if (!turn || !world.dialog) return;
      world.dialog = false;
      say('hook', factOf({ is: 'activity', providerId: conversation, turnId: turn, subject: 'rm' }));
    },

    finish() {
      if (!turn || world.dialog) return;
      const fact = factOf({ is: 'turn-ended', providerId: conversation, turnId: turn });
      say('hook', fact);
      say('transcript', fact);
      turn = null;
    },

    die() {
      if (!world.alive) return;
      Object.assign(world, { alive: false, composer: '', dialog: false, scrolled: false });
      turn = null;
      say('pane', factOf({ is: 'process-exited', code: 1 }));
    },
  };
  return world;
}

const cursorOf = (draft: string) => ({ x: 2 + draft.length, y: 20 });

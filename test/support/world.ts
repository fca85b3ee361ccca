// For property tests: a model of a pane, of the agent in it and of the human at it, with the semantics that were
// measured on the real ones. It counts what the agent really took, so that nothing can be lost or doubled unseen.
import type { Cursor, Effect, EffectResult } from '../../src/domain/core/effect.ts';
import type { Fact, FactInput, Look } from '../../src/domain/core/fact.ts';
import { messageIdsIn } from '../../src/domain/core/message.ts';
import { factOf, launched } from './session.ts';

/** What may go wrong with a typing: the agent never sees it, or sees no Enter. */
export type Fault = 'none' | 'swallowed' | 'enter lost';

/** A prompt that the agent took, and the turn that it belongs to. */
export interface Taken {
  readonly text: string;
  readonly turn: string;
  readonly conversation: string;
}

export interface WorldTurn {
  readonly id: string;
  readonly text: string;
  /** Something of the answer has come: an interrupt does not give the prompt back any more. */
  answered: boolean;
}

export interface World {
  alive: boolean;
  composer: string;
  scrolled: boolean;
  dialog: boolean;
  /** The turn that really runs. */
  readonly turn: WorldTurn | null;
  /** What was typed during the turn and has not been taken up. */
  readonly queue: readonly string[];
  /** Every prompt that the agent took and kept, in order. */
  readonly taken: readonly Taken[];
  /** Turns that our own Escape has cut, or may have. */
  readonly cutByUs: Set<string>;
  /** How the turns that are over really ended. */
  readonly ends: ReadonlyMap<string, TrueEnd>;
  /** Turns of whose end nothing at all was told. */
  readonly untold: ReadonlySet<string>;
  /** Messages that a human's Escape brought back to his composer: he may send them whenever he likes, or never. */
  readonly returned: ReadonlySet<string>;
  /** What hooks and the process said and nobody has heard yet, oldest first: it may come in any order. */
  readonly hooks: FactInput[];
  /** What stands in the transcript and has not been read: it is read in its order. */
  readonly transcript: FactInput[];
  look(): Look | null;
  submit(effect: Extract<Effect, { do: 'submit' }>, fault: Fault): EffectResult;
  launch(effect: Extract<Effect, { do: 'launch' }>): EffectResult;
  escapeOfOurs(effect: Extract<Effect, { do: 'escape' }>): EffectResult;
  /** The human types a letter. */
  type(): void;
  /** The human presses Enter on what stands in the composer. */
  enter(): void;
  /** The human deletes what stands in the composer. */
  drop(): void;
  /** Messages that he deleted there, or that died with it: nobody can have them any more. */
  readonly dropped: ReadonlySet<string>;
  /** The human presses Escape, which no hook tells, and the transcript not always. */
  escape(isTold: boolean): void;
  /** The human puts his draft aside, or takes it back. */
  stash(): void;
  speak(): void;
  useTool(): void;
  askPermission(): void;
  answerPermission(): void;
  /** `closing`: only the transcript's last words are told, and not that they were the end. */
  finish(told?: 'all' | 'closing' | 'nothing'): void;
  die(): void;
}

export type TrueEnd = 'ended' | 'interrupted' | 'cut' | 'died';

/** A notice of ours goes without a header; the model knows it by its words, which name it. */
export const noticeText = (id: string): string => `[sm] notice ${id}:\nsomething happened.`;

/** Whoever adds to its words makes them his own: then it is as good as not taken. */
const idsIn = (text: string): string[] => [
  ...messageIdsIn(text),
  ...match(text, /^\[sm\] notice (\w+):\n.*\.$/gm),
];

/** What is about to be lost, also with something added. */
const idsNear = (text: string): string[] => [...messageIdsIn(text), ...match(text, noticeHead)];

const noticeHead = /^\[sm\] notice (\w+):$/gm;

const match = (text: string, what: RegExp) => [...text.matchAll(what)].map((found) => found[1] as string);

/** A second Escape within this time opens the screen that goes back in the conversation. */
const doublePress = 800;

export function createWorld(now: () => number): World {
  let conversation = 'c1';
  let conversations = 1;
  let turn: WorldTurn | null = null;
  let stashed: string | null = null;
  let queue: string[] = [];
  let taken: Taken[] = [];
  let turns = 0;
  let count = 0;
  let lastIdleEscape = Number.NEGATIVE_INFINITY;
  const cutByUs = new Set<string>();
  const dropped = new Set<string>();
  const returned = new Set<string>();
  const ends = new Map<string, TrueEnd>();
  const untold = new Set<string>();
  const hooks: FactInput[] = [];
  const transcript: FactInput[] = [];

  function say(source: FactInput['source'], fact: Fact): void {
    count += 1;
    (source === 'transcript' ? transcript : hooks).push({
      type: 'fact',
      id: `w${count}`,
      // No two things are said at the same moment.
      at: now() + count,
      source,
      fact,
    });
  }

  const ofTurn = (id: string) => ({ providerId: conversation, turnId: id });

  /** Several texts that waited are taken up together; each has an id, and the turn goes by the last one. */
  function begin(texts: readonly string[], isTyped: boolean): void {
    const last = `t${turns + texts.length}`;
    for (const text of texts) {
      turns += 1;
      turn = { id: `t${turns}`, text, answered: false };
      taken.push({ text, turn: last, conversation });
      const fact = factOf({ is: 'prompt-submitted', ...ofTurn(turn.id), text });
      if (isTyped) say('hook', fact);
      say('transcript', fact);
    }
  }

  function clear(): void {
    say('hook', factOf({ is: 'context-ended', providerId: conversation }));
    conversations += 1;
    conversation = `k${conversations}`;
    say('hook', factOf({ is: 'agent-started', providerId: conversation, source: 'clear' }));
  }

  /** What waits and may go next: prompts in a row go together, a command goes alone. */
  function next(): void {
    turn = null;
    const command = queue.indexOf('/clear');
    if (command === 0) {
      queue = queue.slice(1);
      clear();
      next();
    } else if (queue.length > 0) {
      const batch = command < 0 ? queue : queue.slice(0, command);
      queue = queue.slice(batch.length);
      begin(batch, false);
    }
  }

  function cut(mayBeTold: boolean, byHuman: boolean): boolean {
    if (!turn) return false;
    // An interrupt by which something else went on has always been told.
    const isTold = mayBeTold || queue.length > 0;
    const { id, text, answered } = turn;
    const wasDialog = world.dialog;
    world.dialog = false;
    ends.set(id, byHuman ? 'interrupted' : 'cut');
    if (!isTold) untold.add(id);
    if (!answered && !wasDialog && queue.length === 0 && world.composer === '') {
      world.composer = text;
      if (byHuman) for (const message of idsIn(text)) returned.add(message);
      taken = taken.filter((each) => each.turn !== id || each.text !== text);
      // Nothing is written then; what was taken up along with it is over all the same.
      untold.add(id);
      turn = null;
      return true;
    }
    const interrupted = factOf({ is: 'turn-ended', end: 'interrupted', ...ofTurn(id) });
    // What waited is sent at once, and a tool takes its time to die: then its line comes later than the next prompt.
    if (!answered && isTold) say('transcript', interrupted);
    next();
    if (answered && isTold) say('transcript', interrupted);
    return true;
  }

  const isAt = (cursor: Cursor | null) => cursor?.x === cursorOf(world.composer).x;

  const world: World = {
    alive: false,
    composer: '',
    scrolled: false,
    dialog: false,
    get turn() {
      return turn;
    },
    get queue() {
      return queue;
    },
    get taken() {
      return taken;
    },
    cutByUs,
    ends,
    untold,
    dropped,
    returned,
    hooks,
    transcript,

    look() {
      if (!world.alive) return null;
      const { composer: draft, dialog, scrolled: copyMode } = world;
      // An agent that works draws all the time.
      const text = `${taken.length} prompts${turn ? `, turn ${turn.id} at ${now()}` : ''}`;
      if (dialog)
        return {
          reading: { shows: 'dialog', text: 'May I?' },
          copyMode,
          humanActiveAt: null,
          text,
        };
      const activity = turn ? 'working' : 'idle';
      const stash = stashed !== null;
      const reading = { shows: 'composer', draft, activity, stash, cursor: cursorOf(draft) } as const;
      return { reading, copyMode, humanActiveAt: null, text };
    },

    submit({ text, cursor, stash, erase }, fault) {
      if (!world.alive) return { of: 'submit', outcome: 'gone' };
      if (!isAt(cursor) || world.dialog || world.scrolled) return { of: 'submit', outcome: 'changed' };
      if (erase > 0) world.composer = '';
      if (stash && stashed !== null) throw new Error('we lost what was stashed');
      if (stash) world.stash();
      if (fault !== 'swallowed') world.composer += text ?? '';
      if (fault === 'none') world.enter();
      return { of: 'submit', outcome: 'typed' };
    },

    escapeOfOurs({ cursor }) {
      if (!world.alive) return { of: 'escape', outcome: 'gone' };
      if (!isAt(cursor) || world.dialog || world.scrolled) return { of: 'escape', outcome: 'changed' };
      // A human may have been faster by a moment: then the cut is as good as ours.
      cutByUs.add(turn?.id ?? `t${turns}`);
      if (!cut(true, false)) {
        if (now() - lastIdleEscape <= doublePress)
          throw new Error('we pressed Escape twice at an idle agent');
        lastIdleEscape = now();
      }
      return { of: 'escape', outcome: 'typed' };
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

    type() {
      if (!world.alive || world.dialog || world.scrolled) return;
      // A notice is known by its words alone: with something added it is his, to send or not.
      for (const id of match(world.composer, noticeHead)) returned.add(id);
      world.composer += 'x';
    },

    enter() {
      if (!world.alive || world.dialog || world.composer === '') return;
      const text = world.composer;
      world.composer = stashed ?? '';
      stashed = null;
      if (turn) {
        queue = [...queue, text];
        if (text === '/clear') return;
        say('hook', factOf({ is: 'prompt-submitted', ...ofTurn(turn.id), text }));
        say('transcript', factOf({ is: 'prompt-enqueued', providerId: conversation, text }));
      } else if (text === '/clear') clear();
      else begin([text], true);
    },

    drop() {
      for (const id of idsNear(world.composer)) dropped.add(id);
      world.composer = '';
    },

    stash() {
      if (world.composer !== '') [stashed, world.composer] = [world.composer, ''];
      else if (stashed !== null) [world.composer, stashed] = [stashed, null];
    },

    escape(isTold) {
      cut(isTold, true);
    },

    speak() {
      if (turn) turn.answered = true;
    },

    useTool() {
      if (!turn || world.dialog) return;
      turn.answered = true;
      say('hook', factOf({ is: 'activity', ...ofTurn(turn.id) }));
      for (const text of queue.filter((each) => each !== '/clear')) {
        taken.push({ text, turn: turn.id, conversation });
        say('transcript', factOf({ is: 'prompt-absorbed', ...ofTurn(turn.id), text }));
      }
      queue = queue.filter((each) => each === '/clear');
    },

    askPermission() {
      if (!turn || world.dialog) return;
      turn.answered = true;
      world.dialog = true;
      say('hook', factOf({ is: 'permission-asked', ...ofTurn(turn.id), subject: 'rm' }));
    },

    answerPermission() {
      if (!turn || !world.dialog) return;
      world.dialog = false;
      say('hook', factOf({ is: 'activity', ...ofTurn(turn.id), subject: 'rm' }));
    },

    finish(told = 'all') {
      if (!turn || world.dialog) return;
      const { id } = turn;
      const words = { ...ofTurn(id), lastWords: `words of ${id}` };
      ends.set(id, 'ended');
      // The next prompt stands in the same file, behind them.
      if (told !== 'nothing' || queue.length > 0) say('transcript', factOf({ is: 'turn-closing', ...words }));
      else untold.add(id);
      if (told === 'all') {
        say('hook', factOf({ is: 'turn-ended', ...words }));
        say('transcript', factOf({ is: 'turn-ended', ...words }));
      }
      next();
    },

    die() {
      if (!world.alive) return;
      world.drop();
      world.stash();
      world.drop();
      Object.assign(world, { alive: false, dialog: false, scrolled: false });
      if (turn) ends.set(turn.id, 'died');
      turn = null;
      queue = [];
      stashed = null;
      say('pane', factOf({ is: 'process-exited', code: 1 }));
    },
  };
  return world;
}

/** The turns in which the agent took a message, as often as it stands there: more than one would be too many. */
export const turnsOf = ({ taken }: World, id: string): string[] =>
  taken.flatMap(({ text, turn }) =>
    idsIn(text)
      .filter((each) => each === id)
      .map(() => turn),
  );

const cursorOf = (draft: string) => ({ x: 2 + draft.length, y: 20 });

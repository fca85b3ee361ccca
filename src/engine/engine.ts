// The engine: takes inputs, decides lane by lane, commits what was decided in one transaction per tick, and only
// then answers and lets effects run. If a commit fails, memory is as it was and each caller hears why.

import { apply, type Decision, emptyState } from '../domain/core/change.ts';
import type { EffectResult } from '../domain/core/effect.ts';
import type { NewEvent } from '../domain/core/event.ts';
import type { Input, Others, Refusal } from '../domain/core/input.ts';
import type { Message } from '../domain/core/message.ts';
import type { MessageId, Mode, SessionId } from '../domain/core/names.ts';
import { conflict } from '../domain/core/refusal.ts';
import { isRetired, type Session, type State } from '../domain/core/session.ts';
import type { Settings } from '../domain/core/settings.ts';
import { decide } from '../domain/decide.ts';
import { ownText } from '../domain/delivery/own-texts.ts';
import { dueAt } from '../domain/due.ts';
import { holderOf } from '../domain/promises/locks.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectRunner } from '../ports/effects.ts';
import type { Log } from '../ports/log.ts';
import { type Batch, type Store, StoreError } from '../ports/store.ts';
import { type CrashPoints, noCrash } from './crash-points.ts';
import { createDueTimes } from './due-times.ts';
import { createOutbox, type OtherEffect, type PostEffect } from './outbox.ts';

export type Answer =
  | {
      readonly ok: true;
      readonly session: Session;
      /** How many messages wait, by mode, now that this input is taken in: a message that came with it is the last. */
      readonly waiting: Readonly<Record<Mode, number>>;
    }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Engine {
  /** Decides and commits. Rejects with a StoreError when nothing could be stored. */
  submit(id: SessionId, input: Input): Promise<Answer>;
  get(id: SessionId): State | undefined;
  all(): Iterable<State>;
  /** Looks at a moment at which everything that is decided is also stored. */
  whenStored<T>(look: () => T): Promise<T>;
  /** Called after each commit, once per decision, with its events. */
  onCommit(listener: CommitListener): () => void;
  /** Loads what is stored. Effects that were owed start to run with `resume`. */
  load(): Promise<void>;
  resume(): void;
  /** Takes no more inputs and waits for what is under way. */
  stop(): Promise<void>;
}

export type CommitListener = (session: Session, events: readonly NewEvent[]) => void;

export interface EngineDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly runner: EffectRunner;
  readonly log: Log;
  readonly crash?: CrashPoints;
  readonly settings: Settings;
  /** Owes what a session says to one of another node, which is called `ID@NODE`. Left out: there are none. */
  readonly abroad?: (of: SessionId, post: PostEffect) => Promise<void>;
}

interface Submitted {
  readonly id: SessionId;
  readonly input: Input;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** What becomes of an input when the tick is stored; nobody is answered before that. */
interface Taken {
  readonly submitted: Submitted;
  readonly answer: Answer;
  /** Null: nothing changes. */
  readonly change: { readonly decision: Decision; readonly undo: () => void } | null;
}

/** What the store has that an input is about. */
interface Stored {
  readonly state: State | null;
  readonly message: Message | null;
}

const nothing: Stored = { state: null, message: null };

export function createEngine(deps: EngineDeps): Engine {
  const { store, clock, runner, log, crash = noCrash, settings } = deps;
  const lanes = new Map<SessionId, State>();
  const listeners = new Set<CommitListener>();
  let waiting: Submitted[] = [];
  /** Whoever wants to look between two ticks. */
  const looks: (() => void)[] = [];
  let ticking: Promise<void> | null = null;
  let life: 'loading' | 'running' | 'stopping' | 'stopped' = 'loading';
  const due = createDueTimes(clock, (id) => void insist(id, { type: 'due' }));
  const outbox = createOutbox({
    runner,
    crash,
    log,
    session: (id) => lanes.get(id)?.session,
    stored: async (id) => (await store.state(id))?.session,
    result: insist,
    tellOther,
  });
  /** Effects that begin to run with `resume`, in the order in which they were owed. */
  const beforeResume: (() => void)[] = [];

  const others: Others = {
    isNameTaken(name, except) {
      for (const { session } of lanes.values())
        if (session.id !== except && [session.id, session.name, session.friendlyName].includes(name))
          return true;
      return false;
    },
    memberOf(member) {
      for (const session of sessions())
        if (session.member?.team === member.team && session.member.name === member.name) return session;
      return null;
    },
    ownerOf(providerId) {
      for (const session of sessions()) if (session.context.providerId === providerId) return session;
      return null;
    },
    relative: (id) => lanes.get(id)?.session ?? null,
    *childrenOf(parent) {
      for (const { id, parentId } of sessions()) if (parentId === parent) yield id;
    },
    lockOn: (workspace, except) => holderOf(sessions(), workspace, except),
    isFamily: (id, other) => eldestOf(id) === eldestOf(other),
    settings,
  };

  /** The eldest ancestor that is known; a parent that was killed long ago is not. */
  function eldestOf(id: SessionId): SessionId {
    const parent = lanes.get(id)?.session.parentId;
    return parent ? eldestOf(parent) : id;
  }

  function* sessions(): Iterable<Session> {
    for (const { session } of lanes.values()) yield session;
  }

  function submit(id: SessionId, input: Input): Promise<Answer> {
    if (life === 'stopped')
      return Promise.reject(
        new StoreError('failed', 'The daemon is stopping; nothing was stored. Try again.'),
      );
    return new Promise((resolve, reject) => {
      waiting.push({ id, input, resolve, reject });
      ticking ??= new Promise<void>((done) => setImmediate(() => void run().finally(done)));
    });
  }

  /** For inputs that nobody waits for: they must not be lost because the disk is full just now. */
  async function insist(id: SessionId, input: Input): Promise<void> {
    try {
      await submit(id, input);
    } catch (error) {
      // What was not stored is owed, or due, still: the next start takes it up.
      if (life === 'stopping' || life === 'stopped') return;
      const what = { session: id, input: input.type, error: String(error) };
      if (!(error instanceof StoreError)) {
        log.error(what, 'cannot handle an input');
        return;
      }
      log.error(what, 'nothing was stored; trying again in a second');
      await new Promise<void>((resolve) => clock.timer(1_000, resolve));
      await insist(id, input);
    }
  }

  /** For another session: stored twice, it counts once, because a notice has one id, and news have a serial. */
  async function tellOther(of: SessionId, effect: OtherEffect): Promise<EffectResult> {
    const input: Input =
      effect.do === 'post'
        ? { type: 'send', ...ownText(effect.message, effect.mode, effect.text) }
        : { type: 'passed-on', news: effect.news };
    for (;;) {
      try {
        if (effect.do === 'post' && deps.abroad && effect.to.includes('@')) {
          await deps.abroad(of, effect);
          return { of: 'post', outcome: 'posted' };
        }
        const answer = await submit(effect.to, input);
        if (effect.do === 'pass-on') return { of: 'pass-on' };
        return { of: 'post', outcome: answer.ok ? 'posted' : 'nobody' };
      } catch (error) {
        if (!(error instanceof StoreError) || life === 'stopped') throw error;
        await new Promise<void>((resolve) => clock.timer(1_000, resolve));
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await tick(batch);
      for (const look of looks.splice(0)) look();
    }
    ticking = null;
  }

  function whenStored<T>(look: () => T): Promise<T> {
    if (!ticking) return Promise.resolve().then(look);
    return new Promise((resolve, reject) => {
      looks.push(() => {
        try {
          resolve(look());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  async function tick(batch: Submitted[]): Promise<void> {
    const taken: Taken[] = [];
    try {
      const facts = batch.flatMap(({ input }) => (input.type === 'fact' ? [input.id] : []));
      const known = facts.length ? await store.knownFacts(facts) : new Set<string>();
      for (const submitted of batch) {
        try {
          // Most inputs need nothing of the store: they are not made to wait for it.
          const stored = needsStore(submitted) ? await lookUp(submitted) : nothing;
          taken.push(take(submitted, known, stored));
        } catch (error) {
          // What cannot be handled must not take the rest of the tick along.
          submitted.reject(error);
        }
      }
      await commit(taken.filter(({ change }) => change !== null));
    } catch (error) {
      for (const { change } of taken.reverse()) change?.undo();
      for (const submitted of batch) submitted.reject(error);
      return;
    }
    for (const each of taken) settle(each);
  }

  async function commit(changes: readonly Taken[]): Promise<void> {
    if (changes.length === 0) return;
    const batch = toBatch(changes, clock.now());
    for (const { id } of batch.sessions) crash(`commit:before@${id}`);
    await store.commit(batch);
    for (const { id } of batch.sessions) crash(`commit:after@${id}`);
  }

  /** A killed session is not in memory, but may be restored, and may still owe something. */
  const isKilled = ({ id, input }: Submitted): boolean => !lanes.has(id) && ofTheKilled.has(input.type);
  const needsStore = (submitted: Submitted): boolean =>
    messageIn(submitted.input) !== undefined || isKilled(submitted);

  async function lookUp(submitted: Submitted): Promise<Stored> {
    const message = messageIn(submitted.input);
    return {
      state: isKilled(submitted) ? await store.state(submitted.id) : null,
      message: message === undefined ? null : await store.message(message),
    };
  }

  function take(submitted: Submitted, known: Set<string>, stored: Stored): Taken {
    const { id, input } = submitted;
    const state = lanes.get(id) ?? stored.state;
    const told = toldBefore(state, input, known, stored.message);
    if (told) return { submitted, answer: told, change: null };
    const outcome = decide(state, input, clock.now(), others);
    if (!outcome.ok) return { submitted, answer: outcome, change: null };
    if (input.type === 'fact') known.add(input.id);
    const { decision } = outcome;
    const isNew = !lanes.has(id);
    const lane = state ?? emptyState(decision.session);
    lanes.set(id, lane);
    const undoState = apply(lane, decision);
    const undo = () => {
      undoState();
      if (isNew) lanes.delete(id);
    };
    return { submitted, answer: toldNow(lane), change: { decision, undo } };
  }

  /** A fact that comes twice counts once, and so does a message: its row may be in the store only. */
  function toldBefore(
    state: State | null,
    input: Input,
    known: Set<string>,
    message: Message | null,
  ): Answer | null {
    if (input.type === 'fact') return state && known.has(input.id) ? toldNow(state) : null;
    if (!message) return null;
    if (input.type === 'send' && state && message.to === state.session.id) return toldNow(state);
    const data = { is: 'id-taken', id: message.id } as const;
    return { ok: false, refusal: conflict(`A message ${message.id} already exists.`, data) };
  }

  function settle({ submitted, answer, change }: Taken): void {
    if (change) {
      const { session, effects, events } = change.decision;
      const latest = lanes.get(session.id)?.session ?? session;
      due.set(session.id, dueAt(latest));
      for (const owed of effects) owe(() => outbox.add(owed));
      if (isRetired(latest)) lanes.delete(session.id);
      for (const listener of listeners) tell(listener, session, events);
    }
    submitted.resolve(answer);
  }

  function owe(run: () => void): void {
    if (life === 'loading') beforeResume.push(run);
    else run();
  }

  function tell(listener: CommitListener, session: Session, events: readonly NewEvent[]): void {
    try {
      listener(session, events);
    } catch (error) {
      log.error({ session: session.id, error: String(error) }, 'a listener failed');
    }
  }

  return {
    submit,
    get: (id) => lanes.get(id),
    all: () => lanes.values(),
    whenStored,
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async load() {
      const { states, owed } = await store.load();
      for (const state of states) lanes.set(state.session.id, state);
      for (const each of owed) owe(() => outbox.recover(each));
    },
    resume() {
      life = 'running';
      for (const run of beforeResume.splice(0)) run();
      for (const { session } of lanes.values()) due.set(session.id, dueAt(session));
    },
    async stop() {
      life = 'stopping';
      due.stop();
      // What runs now may still tell its result; what has not begun stays owed, and is taken up at the next start.
      await outbox.stop();
      life = 'stopped';
      await ticking;
    },
  };
}

/** What can happen to a session that was killed. */
const ofTheKilled: ReadonlySet<Input['type']> = new Set([
  'restore',
  'remove-worktree',
  'restore-worktree',
  'finish-worktree',
  'passed-on',
  'result',
]);

function toldNow({ session, queue: { sequential, important, urgent } }: State): Answer {
  const waiting = { sequential: sequential.size, important: important.size, urgent: urgent.size };
  return { ok: true, session, waiting };
}

function messageIn(input: Input): MessageId | undefined {
  if (input.type === 'send') return input.id;
  return input.type === 'create' ? input.prompt?.id : undefined;
}

function toBatch(taken: readonly Taken[], now: number): Batch {
  const decisions = taken.flatMap(({ change }) => change?.decision ?? []);
  const messages = decisions.flatMap((decision) => decision.messages);
  return {
    // Of what changed several times in the tick, the last state is stored.
    sessions: [...new Map(decisions.map(({ session }) => [session.id, session])).values()],
    messages: [...new Map(messages.map((message) => [message.id, message])).values()],
    events: decisions.flatMap((decision) => decision.events),
    owed: decisions.flatMap((decision) => decision.effects),
    settled: decisions.flatMap((decision) => decision.settled),
    spent: decisions.flatMap((decision) => decision.spent),
    // Not when it was said: it is to be known for long enough from now on, however late it comes.
    facts: taken.flatMap(({ submitted: { input } }) =>
      input.type === 'fact' ? [{ id: input.id, at: now }] : [],
    ),
  };
}

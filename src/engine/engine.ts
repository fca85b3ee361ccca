// The engine: takes inputs, decides lane by lane, commits what was decided in one transaction per tick, and only
// then answers and lets effects run. If a commit fails, memory is as it was and each caller hears why.

import { decide } from '../domain/decide.ts';
import { apply, type Decision, emptyState } from '../domain/draft.ts';
import { dueAt } from '../domain/due.ts';
import type { NewEvent } from '../domain/event.ts';
import type { Input, Refusal, World } from '../domain/input.ts';
import { displayName, isRetired, type Session, type SessionId, type State } from '../domain/session.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectRunner } from '../ports/effects.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { type CrashPoints, noCrash } from './crash-points.ts';
import { createDueTimes } from './due-times.ts';
import { createOutbox } from './outbox.ts';

export type Answer =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Engine {
  /** Decides and commits. Rejects with a StoreError when nothing could be stored. */
  submit(id: SessionId, input: Input): Promise<Answer>;
  get(id: SessionId): State | undefined;
  all(): Iterable<State>;
  /** Called after each commit, once per changed session, with its events. */
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
}

interface Job {
  readonly id: SessionId;
  readonly input: Input;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Decided {
  readonly job: Job;
  readonly decision: Decision;
  readonly undo: () => void;
}

export function createEngine({ store, clock, runner, log, crash = noCrash }: EngineDeps): Engine {
  const lanes = new Map<SessionId, State>();
  const listeners = new Set<CommitListener>();
  let jobs: Job[] = [];
  let ticking: Promise<void> | null = null;
  let stopped = false;
  const due = createDueTimes(clock, (id) => insist(id, { type: 'due' }));
  const outbox = createOutbox({
    runner,
    crash,
    log,
    session: (id) => lanes.get(id)?.session,
    result: insist,
  });
  let owedAtStart: Parameters<typeof outbox.add>[0][] = [];

  const world: World = {
    isNameTaken(name, except) {
      for (const { session } of lanes.values())
        if (session.id !== except && displayName(session) === name) return true;
      return false;
    },
  };

  function submit(id: SessionId, input: Input): Promise<Answer> {
    if (stopped) return Promise.reject(new Error('The daemon is stopping.'));
    return new Promise((resolve, reject) => {
      jobs.push({ id, input, resolve, reject });
      ticking ??= new Promise<void>((done) => setImmediate(() => void run().finally(done)));
    });
  }

  /** For inputs that nobody waits for: they must not be lost because the disk is full just now. */
  function insist(id: SessionId, input: Input): Promise<void> {
    return submit(id, input).then(
      () => undefined,
      (error: unknown) => {
        if (stopped) return;
        log.error(
          { session: id, input: input.type, error: String(error) },
          'nothing was stored; trying again in a second',
        );
        return new Promise((resolve) => clock.timer(1_000, () => resolve(insist(id, input))));
      },
    );
  }

  async function run(): Promise<void> {
    while (jobs.length > 0) {
      const batch = jobs;
      jobs = [];
      await tick(batch);
    }
    ticking = null;
  }

  async function tick(batch: Job[]): Promise<void> {
    const decided: Decided[] = [];
    try {
      const facts = batch.flatMap(({ input }) => (input.type === 'fact' ? [input.id] : []));
      const known = facts.length ? await store.knownFacts(facts) : new Set<string>();
      for (const job of batch) {
        const outcome = await decideOne(job, known);
        if (outcome) decided.push(outcome);
      }
      if (decided.length === 0) return;
      crash('commit:before');
      await store.commit(toBatch(decided));
    } catch (error) {
      for (const { undo } of decided.reverse()) undo();
      for (const { job } of decided) job.reject(error);
      for (const job of batch) job.reject(error);
      return;
    }
    crash('commit:after');
    for (const each of decided) settle(each);
  }

  /** Answers at once what changes nothing; gives back what is to be committed. */
  async function decideOne(job: Job, known: Set<string>): Promise<Decided | undefined> {
    const { id, input } = job;
    let state = lanes.get(id) ?? null;
    if (!state && input.type === 'restore') state = await store.state(id);
    if (input.type === 'fact') {
      if (state && known.has(input.id)) {
        job.resolve({ ok: true, session: state.session });
        return undefined;
      }
      known.add(input.id);
    }
    const outcome = decide(state, input, clock.now(), world);
    if (!outcome.ok) {
      job.resolve(outcome);
      return undefined;
    }
    const isNew = !lanes.has(id);
    const lane = state ?? emptyState(outcome.decision.session);
    lanes.set(id, lane);
    const undoState = apply(lane, outcome.decision);
    const undo = () => {
      undoState();
      if (isNew) lanes.delete(id);
    };
    return { job, decision: outcome.decision, undo };
  }

  function settle({ job, decision }: Decided): void {
    const { session } = decision;
    const latest = lanes.get(session.id)?.session ?? session;
    due.set(session.id, dueAt(latest));
    for (const owed of decision.effects) outbox.add(owed);
    if (isRetired(latest)) lanes.delete(session.id);
    for (const listener of listeners) listener(session, decision.events);
    job.resolve({ ok: true, session });
  }

  return {
    submit,
    get: (id) => lanes.get(id),
    all: () => lanes.values(),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async load() {
      const { states, owed } = await store.load();
      for (const state of states) lanes.set(state.session.id, state);
      owedAtStart = owed;
    },
    resume() {
      for (const owed of owedAtStart) outbox.recover(owed);
      owedAtStart = [];
      for (const { session } of lanes.values()) due.set(session.id, dueAt(session));
    },
    async stop() {
      due.stop();
      // What runs now may still tell its result; what has not begun stays owed, and is taken up at the next start.
      await outbox.stop();
      stopped = true;
      await ticking;
    },
  };
}

function toBatch(decided: readonly Decided[]): Parameters<Store['commit']>[0] {
  const sessions = new Map(decided.map(({ decision }) => [decision.session.id, decision.session]));
  const messages = new Map(
    decided.flatMap(({ decision }) => decision.messages.map((message) => [message.id, message] as const)),
  );
  return {
    sessions: [...sessions.values()],
    messages: [...messages.values()],
    events: decided.flatMap(({ decision }) => decision.events),
    owed: decided.flatMap(({ decision }) => decision.effects),
    settled: decided.flatMap(({ decision }) => decision.settled),
    facts: decided.flatMap(({ job: { input } }) =>
      input.type === 'fact' ? [{ id: input.id, at: input.at }] : [],
    ),
  };
}

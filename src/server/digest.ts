// What happened since a time, told family by family: who needs somebody comes first. Read in pages, so that nobody else
// waits for a long history.
import { maySearch } from '../domain/core/authority.ts';
import { holdOf } from '../domain/core/budget.ts';
import type { Highlight } from '../domain/core/highlights.ts';
import { isStandingStill } from '../domain/core/limits.ts';
import type { SessionId } from '../domain/core/names.ts';
import { displayName, named, phaseOf, phaseSince, type Session, type State } from '../domain/core/session.ts';
import { unrecognisedSince } from '../domain/life/recognition.ts';
import { isSilent } from '../domain/promises/reminders.ts';
import type { DigestView, SessionDigest } from '../protocol/digest.ts';
import { count, emptyTally, type Tally } from './digest-tally.ts';
import type { Caller } from './guard.ts';
import { Refused } from './refused.ts';
import { findAny } from './resolve.ts';
import type { Service } from './service.ts';

const page = 500;

type Needs = Pick<Service, 'engine' | 'store' | 'clock'>;

interface Asked {
  readonly since: number;
  /** Only this one and all below it. */
  readonly session?: string | undefined;
}

export async function digest(service: Needs, caller: Caller, { since, session }: Asked): Promise<DigestView> {
  const known = knownStates(service);
  const below = session === undefined ? null : (await findAny(service, session)).session;
  const self = caller.kind === 'session' ? caller.id : null;
  const own = self && (await eldest(known, self));
  if (below && self) {
    const refusal = maySearch(below, self, (await eldest(known, below.id)) === own);
    if (refusal) throw new Refused(refusal);
  }
  const tallies = await tally(service, since);
  const families = new Map<SessionId, SessionDigest[]>();
  let quiet = 0;
  for (const id of new Set([...liveIds(service), ...tallies.keys()])) {
    const state = await known(id);
    if (!state) continue;
    const line = await ancestry(known, state.session);
    const family = line.at(-1) ?? id;
    if (below ? !line.includes(below.id) : own !== null && family !== own) continue;
    const told = await tellSession(known, state, tallies.get(id) ?? emptyTally());
    if (!tallies.has(id) && told.waits === null) quiet += 1;
    else families.set(family, [...(families.get(family) ?? []), told]);
  }
  const everybody = [...families.values()].flat();
  const ordered = [...families].map(([id, sessions]) => ({ id, sessions: sessions.sort(byNeed) }));
  ordered.sort((a, b) => byNeed(a.sessions[0] as SessionDigest, b.sessions[0] as SessionDigest));
  return {
    since: iso(since),
    until: iso(service.clock.now()),
    totals: totalsOf(everybody),
    families: await Promise.all(
      ordered.map(async ({ id, sessions }) => ({ ...(await nameOf(known, id)), sessions })),
    ),
    quiet,
  };
}

async function tally({ store }: Needs, since: number): Promise<Map<SessionId, Tally>> {
  const tallies = new Map<SessionId, Tally>();
  for (let from = { since, after: 0 }; ; ) {
    const events = await store.highlights({ ...from, limit: page });
    for (const { sessionId, at, body } of events) {
      const its = tallies.get(sessionId) ?? emptyTally();
      tallies.set(sessionId, its);
      count(its, at, body as Highlight);
    }
    const last = events.at(-1);
    if (!last || events.length < page) return tallies;
    from = { since: last.at, after: last.number };
    // Everybody else comes first.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function* liveIds({ engine }: Needs): Iterable<SessionId> {
  for (const { session } of engine.all()) yield session.id;
}

type Known = (id: SessionId) => Promise<State | null>;

/** Also killed ones, each read once; null: it is forgotten. */
function knownStates({ engine, store }: Needs): Known {
  const read = new Map<SessionId, Promise<State | null>>();
  return async (id) => {
    const live = engine.get(id);
    if (live) return live;
    const state = read.get(id) ?? store.state(id);
    read.set(id, state);
    return state;
  };
}

/** Itself, its parent, and so on to the eldest that is known. */
async function ancestry(known: Known, session: Session): Promise<SessionId[]> {
  const line = [session.id];
  for (let { parentId } = session; parentId !== null && !line.includes(parentId); ) {
    const parent = await known(parentId);
    if (!parent) break;
    line.push(parentId);
    parentId = parent.session.parentId;
  }
  return line;
}

async function eldest(known: Known, id: SessionId): Promise<SessionId> {
  const state = await known(id);
  return (state && (await ancestry(known, state.session)).at(-1)) || id;
}

async function nameOf(known: Known, id: SessionId): Promise<{ id: string; name: string }> {
  const state = await known(id);
  return state ? named(state.session) : { id, name: id };
}

async function tellSession(known: Known, state: State, its: Tally): Promise<SessionDigest> {
  const { session } = state;
  const { answers, lastWords, ended } = its;
  return {
    session_id: session.id,
    name: displayName(session),
    parent_session_id: session.parentId,
    phase: phaseOf(session),
    phase_since: iso(phaseSince(session)),
    started_at: its.startedAt === null ? null : iso(its.startedAt),
    restored: its.restored,
    ended: ended && { ...ended, at: iso(ended.at) },
    turns: its.turns,
    last_words: lastWords && { ...lastWords, at: iso(lastWords.at) },
    questions: {
      asked: its.asked,
      answered_by_person: answers.person,
      answered_by_sessions: [...answers.sessions].map(([id, times]) => ({ id, count: times })),
      answered_by_rules: answers.rules,
      answered_elsewhere: answers.elsewhere,
    },
    reminders: its.reminders,
    compactions: its.compactions,
    handoffs: its.handoffs,
    limits: its.limits,
    silences: its.silences,
    budgets: its.budgets,
    merged: its.merged.map((each) => ({ ...each, at: iso(each.at) })),
    failed: its.failed,
    failures: its.failures.map((each) => ({ ...each, at: iso(each.at) })),
    waits: await waitsOf(known, state),
    messages_waiting: Object.values(state.queue).reduce((sum, queue) => sum + queue.size, 0),
  };
}

type Waits = NonNullable<SessionDigest['waits']>;

/** The one thing that matters most. */
async function waitsOf(known: Known, state: State): Promise<Waits | null> {
  const { session } = state;
  const { process, question, lastTurn, reminder, parentId, standstill } = session;
  const forPerson = (what: Waits['what'], text: string, since: number): Waits => ({
    what,
    text,
    since: iso(since),
    for: null,
  });
  if (process.state === 'lost') return forPerson('restore', process.reason, process.at);
  if (process.state === 'exited')
    return process.killed || process.code === 0 ? null : forPerson('restore', process.reason, process.at);
  if (question) return forPerson('answer', question.text, question.since);
  if (standstill && isStandingStill(session)) return forPerson('limit', standstill.text, standstill.since);
  const hold = holdOf(session);
  if (hold && phaseOf(session) === 'blocked') return forPerson('budget', hold.why, hold.since);
  const unrecognised = unrecognisedSince(session);
  if (unrecognised !== null) return forPerson('screen', 'its screen is not recognised', unrecognised);
  const held = firstHeld(state);
  if (held) return forPerson('draft', held.why, held.since);
  const parent = parentId === null ? null : await known(parentId);
  const forParent = { for: parent && phaseOf(parent.session) !== 'exited' ? named(parent.session) : null };
  if (reminder && isSilent(session))
    return { ...forPerson('status', 'it has not reported', session.lastActivityAt), ...forParent };
  if (lastTurn?.end === 'failed' && phaseOf(session) === 'idle')
    return { ...forPerson('failed', lastTurn.lastWords ?? 'unknown error', lastTurn.at), ...forParent };
  return null;
}

function firstHeld({ queue }: State): { readonly why: string; readonly since: number } | null {
  for (const messages of Object.values(queue))
    for (const { state } of messages.values()) if (state.is === 'held') return state;
  return null;
}

/** Who waits for a person, and longest, comes first; then what went wrong; then what happened last. */
function byNeed(one: SessionDigest, other: SessionDigest): number {
  return (
    need(one) - need(other) ||
    (need(one) < 2 ? compare(one.waits?.since ?? '', other.waits?.since ?? '') : 0) ||
    compare(other.phase_since, one.phase_since) ||
    compare(one.session_id, other.session_id)
  );
}

function need({ waits, failed }: SessionDigest): number {
  if (waits && waits.what !== 'limit') return waits.what === 'answer' ? 0 : 1;
  return failed > 0 || waits ? 2 : 3;
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function totalsOf(sessions: readonly SessionDigest[]): DigestView['totals'] {
  const sum = (of: (session: SessionDigest) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  return {
    waiting: sum(({ waits }) => Number(waits !== null && waits.for === null && waits.what !== 'limit')),
    started: sum((each) => Number(each.started_at !== null)),
    ended: sum((each) => Number(each.ended !== null)),
    turns_finished: sum(({ turns }) => turns.finished),
    failed: sum((each) => each.failed),
    asked: sum(({ questions }) => questions.asked),
    reminded: sum(({ reminders }) => reminders.soft + reminders.hard),
    compactions: sum((each) => each.compactions),
    handoffs: sum((each) => each.handoffs),
    limits: sum((each) => each.limits),
    silences: sum((each) => each.silences),
    budgets: sum((each) => each.budgets),
  };
}

const iso = (time: number): string => new Date(time).toISOString();

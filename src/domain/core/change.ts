// A change is how a decision is written down: it reads the state, never changes it, and keeps what would change.
// The next steps of the same decision see what the earlier ones wrote. The cost does not depend on how long the
// queue is, because only what was touched is kept.

import type { Effect, OwedEffect } from './effect.ts';
import type { EventBody, NewEvent } from './event.ts';
import type { Happening } from './happening.ts';
import type { Manners } from './manners.ts';
import { isOpen, isWaiting, type Message } from './message.ts';
import { type MessageId, type Mode, modes } from './names.ts';
import type { Session, State } from './session.ts';
import type { Settings } from './settings.ts';
import type { Spent } from './spending.ts';

export interface Decision {
  readonly session: Session;
  readonly messages: readonly Message[];
  readonly events: readonly NewEvent[];
  readonly effects: readonly OwedEffect[];
  /** Effects whose result this decision has taken in. */
  readonly settled: readonly string[];
  /** What the session has used up, for the books. */
  readonly spent: readonly Spent[];
}

export interface Change {
  readonly now: number;
  readonly settings: Settings;
  /** Of the session's agent. */
  readonly manners: Manners;
  readonly session: Session;
  update(change: Partial<Session>): void;
  message(id: MessageId): Message | undefined;
  put(message: Message): void;
  /** Waiting messages of a mode, in their order. */
  waiting(mode: Mode): Iterable<Message>;
  active(): Iterable<Message>;
  emit(body: EventBody): void;
  owe(effect: Effect): string;
  settle(effectId: string): void;
  spend(spent: Spent): void;
  /** Lets the rooms above react. */
  announce(happening: Happening): void;
  nextId(kind: string): string;
  done(): Decision;
}

export type React = (c: Change, happening: Happening) => void;

export function beginChange(state: State, now: number, settings: Settings, react: React = () => {}): Change {
  let session = state.session;
  const changed = new Map<MessageId, Message>();
  const events: NewEvent[] = [];
  const effects: OwedEffect[] = [];
  const settled: string[] = [];
  const spent: Spent[] = [];

  const nextId = (kind: string): string => {
    session = { ...session, serial: session.serial + 1 };
    return `${session.id}.${kind}${session.serial}`;
  };

  const self: Change = {
    now,
    settings,
    manners: settings.manners(state.session.provider),
    get session() {
      return session;
    },
    update(change) {
      session = { ...session, ...change };
    },
    message: (id) =>
      changed.get(id) ?? state.active.get(id) ?? modes.map((mode) => state.queue[mode].get(id)).find(Boolean),
    put(message) {
      changed.set(message.id, message);
    },
    waiting: (mode) => merge(state.queue[mode].values(), changed, (m) => m.mode === mode && isWaiting(m)),
    active: () => merge(state.active.values(), changed, (m) => isOpen(m) && !isWaiting(m)),
    emit(body) {
      events.push({ sessionId: session.id, at: now, body });
    },
    owe(effect) {
      const id = nextId('e');
      effects.push({ id, sessionId: session.id, effect });
      return id;
    },
    settle(effectId) {
      settled.push(effectId);
    },
    spend(each) {
      spent.push(each);
    },
    announce: (happening) => react(self, happening),
    nextId,
    done: () => ({ session, messages: [...changed.values()], events, effects, settled, spent }),
  };
  return self;
}

/** Base values that were not touched, and touched ones that fit, in the order of the session. */
function* merge(
  base: Iterable<Message>,
  changed: ReadonlyMap<MessageId, Message>,
  fits: (m: Message) => boolean,
): Iterable<Message> {
  const touched = [...changed.values()].filter(fits).sort((a, b) => a.order - b.order);
  for (const message of base) {
    if (changed.has(message.id)) continue;
    while (touched[0] && touched[0].order < message.order) yield touched.shift() as Message;
    yield message;
  }
  yield* touched;
}

/** Makes a decision part of the state, and gives back the way to undo it, for a commit that fails. */
export function apply(state: State, decision: Decision): () => void {
  const undo: (() => void)[] = [];
  const before = state.session;
  undo.push(() => {
    state.session = before;
  });
  state.session = decision.session;
  for (const message of decision.messages) {
    const previous = place(state, message.id);
    move(state, message, previous?.map, !previous);
    undo.push(() => {
      const current = place(state, message.id)?.map;
      if (previous) move(state, previous.message, current, false);
      else current?.delete(message.id);
    });
  }
  return () => {
    for (const step of undo.reverse()) step();
  };
}

function place(state: State, id: MessageId): { map: Map<MessageId, Message>; message: Message } | undefined {
  for (const map of [state.active, ...modes.map((mode) => state.queue[mode])]) {
    const message = map.get(id);
    if (message) return { map, message };
  }
  return undefined;
}

/** A new message is the newest of all and goes to the end; one that comes back takes its old place, which is rare. */
function move(
  state: State,
  message: Message,
  from: Map<MessageId, Message> | undefined,
  isNew: boolean,
): void {
  const to = isWaiting(message) ? state.queue[message.mode] : isOpen(message) ? state.active : undefined;
  if (from !== to) from?.delete(message.id);
  to?.set(message.id, message);
  if (!to || isNew || from === to) return;
  const sorted = [...to.values()].sort((a, b) => a.order - b.order);
  to.clear();
  for (const each of sorted) to.set(each.id, each);
}

export function emptyState(session: Session): State {
  return {
    session,
    queue: { sequential: new Map(), important: new Map(), urgent: new Map() },
    active: new Map(),
  };
}

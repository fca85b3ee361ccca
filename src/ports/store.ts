// The store port: names what the engine needs done, shows no connection and no transaction.

import type { ContextRecord } from '../domain/context/record.ts';
import type { OwedEffect } from '../domain/core/effect.ts';
import type { EventBody, EventName, NewEvent } from '../domain/core/event.ts';
import type { Message } from '../domain/core/message.ts';
import type { MessageId, SessionId } from '../domain/core/names.ts';
import type { Session, State } from '../domain/core/session.ts';
import type { Spent } from '../domain/core/spending.ts';
import type { LimitRecord } from '../domain/limits/record.ts';
import type { FleetStore } from './fleet.ts';
import type { Tellings } from './telling.ts';
import type { Topics } from './topics.ts';

export interface Store {
  /** All sessions that are not retired, with their open messages, and the effects that are still owed. */
  load(): Promise<{ states: State[]; owed: OwedEffect[] }>;
  /** Makes everything in the batch durable, or nothing of it. Throws a StoreError. */
  commit(batch: Batch): Promise<void>;
  /** Which of these facts were committed before. */
  knownFacts(ids: readonly string[]): Promise<Set<string>>;
  /** One session, retired or not, with its open messages. */
  state(id: SessionId): Promise<State | null>;
  /** Sessions that were killed, the newest first. */
  retired(limit: number): Promise<Session[]>;
  /** Those of them that have, or were made with, this name; the one that was killed last comes first. */
  retiredNamed(name: string, limit: number): Promise<Session[]>;
  /** Those of them whose id begins so, by id. */
  retiredStarting(prefix: string, limit: number): Promise<Session[]>;
  /** Those of them that still have a worktree. */
  retiredWithWorktree(): Promise<Session[]>;
  message(id: MessageId): Promise<Message | null>;
  /** Messages whose id begins so, by id. */
  messagesStarting(prefix: string, limit: number): Promise<Message[]>;
  /** The last messages to a session, the newest first. */
  messagesTo(sessionId: SessionId, limit: number): Promise<Message[]>;
  /** Events after a number, oldest first; of one session, or of all; the first of them, or the last. */
  events(query: {
    after: number;
    limit: number;
    last?: boolean;
    sessionId?: SessionId;
  }): Promise<StoredEvent[]>;
  /** Those of these names after a number, oldest first. */
  eventsNamed(query: { after: number; names: readonly EventName[]; limit: number }): Promise<StoredEvent[]>;
  /** The last event of a session that is called so. */
  lastEvent(sessionId: SessionId, names: readonly EventName[]): Promise<StoredEvent | null>;
  /** All that happened to a message, oldest first. */
  eventsOfMessage(id: MessageId): Promise<StoredEvent[]>;
  /** What the curve of a session's context is drawn from (`curveEvents`), since a time; the last of them, oldest first. */
  curve(query: { sessionId: SessionId; since: number; limit: number }): Promise<StoredEvent[]>;
  /** What a digest is made from (`highlights`), from a time on, oldest first; a page that begins after that event. */
  highlights(query: { since: number; after: number; limit: number }): Promise<StoredEvent[]>;
  /** The contexts of a session, the last of them, oldest first; also those whose events are forgotten. */
  contexts(sessionId: SessionId, limit: number): Promise<ContextRecord[]>;
  /** What is known of the limits of all accounts. */
  limits(): Promise<LimitRecord[]>;
  /** What was used up since a time, summed up by session, context, quarter of an hour and model; of one, or of all. */
  spent(query: { since: number; sessionId?: SessionId }): Promise<Spent[]>;
  /**
   * Forgets what is old enough and gives its space back: messages that ended, with their events; sessions that were
   * killed, with their contexts; other events; facts. A little at a time, so that nobody waits for it long: `between` is
   * awaited between the steps, and what it throws ends the work there.
   */
  forget(age: Age, between: () => Promise<void>): Promise<void>;
  /** What somebody outside is told. */
  readonly tellings: Tellings;
  readonly topics: Topics;
  /** What is kept of the fleet. */
  readonly fleet: FleetStore;
  close(): Promise<void>;
}

/** What happened before these times is forgotten. */
export interface Age {
  /** Of all that ended. */
  readonly ended: number;
  /** Of facts, by when they were taken in: one that may be told again is still to be known. */
  readonly facts: number;
}

export interface Batch {
  readonly sessions: readonly Session[];
  readonly messages: readonly Message[];
  readonly events: readonly NewEvent[];
  readonly owed: readonly OwedEffect[];
  readonly settled: readonly string[];
  /** What is added to the books. */
  readonly spent?: readonly Spent[];
  /** With the time at which they are taken in. */
  readonly facts: readonly { readonly id: string; readonly at: number }[];
}

export interface StoredEvent {
  readonly number: number;
  readonly sessionId: SessionId;
  readonly at: number;
  readonly body: EventBody;
}

/** Why nothing was stored. The same codes whatever the store. */
export class StoreError extends Error {
  readonly code: 'full' | 'busy' | 'failed';
  constructor(code: StoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** The store cannot be used at all: from a newer version, damaged, or on a driver that is known to corrupt. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}

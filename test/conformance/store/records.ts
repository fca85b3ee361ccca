// Records to store, as small as they can be.
import type { CurveEvent, curveEvents } from '../../../src/domain/context/record.ts';
import type { OwedEffect } from '../../../src/domain/core/effect.ts';
import type { NewEvent } from '../../../src/domain/core/event.ts';
import { type Message, type MessageState, quietly } from '../../../src/domain/core/message.ts';
import type { Process, Session } from '../../../src/domain/core/session.ts';
import type { Batch } from '../../../src/ports/store.ts';
import { creation, testSession } from '../../support/session.ts';

export const emptyBatch: Batch = { sessions: [], messages: [], events: [], owed: [], settled: [], facts: [] };

export const batch = (part: Partial<Batch>): Batch => ({ ...emptyBatch, ...part });

const running: Process = { state: 'running', since: 1, pid: 7, startedAt: 'then', ready: true, under: null };

export const killed = {
  state: 'exited',
  at: 2,
  code: null,
  signal: null,
  reason: 'killed',
  screen: null,
  killed: true,
  notStarted: null,
} as const satisfies Process;

export const session = (id: string, part: Partial<Session> = {}): Session => ({
  ...testSession({ ...creation, id }).state.session,
  process: running,
  ...part,
});

export const message = (id: string, order: number, part: Partial<Message> = {}): Message => ({
  id,
  to: 's1',
  from: { kind: 'person' },
  text: `text of ${id}`,
  shown: null,
  headed: true,
  mode: 'sequential',
  notify: quietly,
  remind: null,
  evenCompacting: false,
  createdAt: 1,
  order,
  state: { is: 'queued' },
  ...part,
});

export const event = (sessionId: string, at: number, task = 'x'): NewEvent => ({
  sessionId,
  at,
  body: { type: 'task-set', task },
});

const named = (name: string) => {
  const [type, step] = name.split(' ');
  return { type, step };
};

/** Only as much of it as a store looks at. */
export const curveEvent = (
  sessionId: string,
  at: number,
  name: (typeof curveEvents)[number],
  percentage = 50,
): NewEvent => ({
  sessionId,
  at,
  body: { ...named(name), context: 1, percentage, tokens: null, costUsd: null } as unknown as CurveEvent,
});

export const owed = (id: string, sessionId = 's1'): OwedEffect => ({ id, sessionId, effect: { do: 'look' } });

export const messageStates: Record<MessageState['is'], MessageState> = {
  queued: { is: 'queued' },
  held: { is: 'held', why: 'draft', since: 1 },
  typed: { is: 'typed', attempt: 'a1', at: 1 },
  accepted: { is: 'accepted', at: 1, turn: 'p1', evidence: { source: 'hook', id: 'f1', at: 1 } },
  answered: { is: 'answered', at: 1, turn: 'p1' },
  'cut-off': { is: 'cut-off', at: 1, turn: 'p1', why: 'by message #0123abcd from the user' },
  interrupted: { is: 'interrupted', at: 1, turn: 'p1', why: 'by a human' },
  died: { is: 'died', at: 1, turn: 'p1', why: 'exit code 1' },
  cleared: { is: 'cleared', at: 1, turn: 'p1', why: 'by the user' },
  unknown: { is: 'unknown', at: 1, turn: 'p1', why: 'how its turn ended is unknown' },
  failed: { is: 'failed', at: 1, why: 'no reason' },
  withdrawn: { is: 'withdrawn', at: 1, why: 'no reason' },
  expired: { is: 'expired', at: 1, why: 'no reason' },
};

// What stays known of each context of a session when the events of its life are long forgotten: how it began and ended,
// and how full it was. A store keeps these records with the events that it commits.

import {
  type EventBody,
  type EventName,
  type EventNamed,
  eventName,
  isNamed,
  type NewEvent,
  type SessionEvent,
} from '../core/event.ts';
import type { Actor, SessionId } from '../core/names.ts';

export interface ContextRecord {
  readonly sessionId: SessionId;
  readonly number: number;
  /** Null: the agent has not named it. */
  readonly providerId: string | null;
  /** Null: it began before there were records. */
  readonly began: { readonly at: number; readonly how: string } | null;
  readonly ended: ContextEnd | null;
  /** The fullest that it was, compactions or not; null: nobody ever said. */
  readonly peak: { readonly percentage: number; readonly tokens: number | null } | null;
  /** By the agent's own account, at its last sample. */
  readonly costUsd: number | null;
  readonly compactions: number;
}

export interface ContextEnd {
  readonly at: number;
  /** `clear`, `handoff`, `resume`, `exited`, `lost`, `killed`, or the agent's own word. */
  readonly how: string;
  readonly by: Actor | null;
  readonly why: string | null;
}

/** What a curve is drawn from: the samples, and what stands between them. */
export const curveEvents = [
  'usage sampled',
  'usage marked',
  'compaction began',
  'compaction ended',
  'context began',
  'handoff cleared',
  'session exited',
  'session lost',
] as const satisfies readonly EventName[];

export type CurveEvent = EventNamed<(typeof curveEvents)[number]>;

const telling: ReadonlySet<EventName> = new Set<EventName>([
  'context began',
  'context ended',
  'session ready',
  'clear done',
  'session restored',
  'session exited',
  'session lost',
  'handoff cleared',
  'usage sampled',
  'compaction ended',
]);

/** Whether an event may change a record: most do not. */
export const tellsOfContext = (body: EventBody): boolean => telling.has(eventName(body));

/** The records that an event changes, of the newest of its session and the one before. */
export function recordsAfter(
  newest: ContextRecord | undefined,
  previous: ContextRecord | undefined,
  { sessionId, at, body }: NewEvent,
): ContextRecord[] {
  if (isNamed(body, 'context began')) {
    const began = {
      ...bare(sessionId, body.context),
      providerId: body.providerId,
      began: { at, how: body.by },
    };
    // One in which nothing was said begins again under its number.
    if (!newest || newest.number === body.context || newest.ended) return [began];
    return [{ ...newest, ended: { at, how: body.by, by: null, why: null } }, began];
  }
  if (isNamed(body, 'usage sampled')) {
    const known = [newest, previous].find((record) => record?.number === body.context);
    // One that began before there were records.
    if (!known && newest && newest.number > body.context) return [];
    return [withSample(known ?? bare(sessionId, body.context), body)];
  }
  return newest ? changed(newest, previous, at, body) : [];
}

function changed(
  newest: ContextRecord,
  previous: ContextRecord | undefined,
  at: number,
  body: EventBody,
): ContextRecord[] {
  switch (body.type) {
    case 'context':
      if (body.step !== 'ended' || newest.number !== body.context) return [];
      return [{ ...newest, ended: { at, how: body.reason, by: null, why: null } }];
    case 'session':
      return withLife(newest, at, body);
    case 'clear':
      if (body.step !== 'done' || !previous?.ended) return [];
      return [{ ...previous, ended: { ...previous.ended, by: body.by } }];
    case 'handoff':
      if (body.step !== 'cleared') return [];
      return [
        ...(previous?.ended ? [{ ...previous, ended: { ...previous.ended, how: 'handoff' } }] : []),
        ...(newest.began ? [{ ...newest, began: { ...newest.began, how: 'handoff' } }] : []),
      ];
    case 'compaction':
      if (body.step !== 'ended' || body.overdue) return [];
      return [{ ...newest, compactions: newest.compactions + 1 }];
    default:
      return [];
  }
}

function withLife(newest: ContextRecord, at: number, body: SessionEvent): ContextRecord[] {
  switch (body.step) {
    case 'ready':
      return newest.providerId === null && body.providerId !== null
        ? [{ ...newest, providerId: body.providerId }]
        : [];
    // The process tells more of its end than the agent did.
    case 'exited': {
      const how = body.killed ? 'killed' : 'exited';
      return [{ ...newest, ended: { at, how, by: null, why: body.killed ? null : body.reason } }];
    }
    case 'lost':
      return [{ ...newest, ended: { at, how: 'lost', by: null, why: body.reason } }];
    case 'restored':
      return body.resumed ? [{ ...newest, ended: null }] : [];
    default:
      return [];
  }
}

function withSample(
  record: ContextRecord,
  { percentage, tokens, costUsd }: Extract<EventBody, { type: 'usage'; step: 'sampled' }>,
): ContextRecord {
  const isPeak = record.peak === null || percentage >= record.peak.percentage;
  return {
    ...record,
    peak: isPeak ? { percentage, tokens } : record.peak,
    costUsd: costUsd ?? record.costUsd,
  };
}

const bare = (sessionId: SessionId, number: number): ContextRecord => ({
  sessionId,
  number,
  providerId: null,
  began: null,
  ended: null,
  peak: null,
  costUsd: null,
  compactions: 0,
});

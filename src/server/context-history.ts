// The history of a session's contexts, as it is told.

import { type Forecast, forecast, samplesOfPace } from '../domain/context/forecast.ts';
import type { ContextRecord, CurveEvent } from '../domain/context/record.ts';
import { assertNever } from '../domain/core/assert-never.ts';
import { isNamed } from '../domain/core/event.ts';
import { displayName, modelOf, phaseOf, type Session } from '../domain/core/session.ts';
import type { StoredEvent } from '../ports/store.ts';
import type { ContextsView, ContextView, CurveView, ForecastView, MomentView } from '../protocol/context.ts';
import type { Service } from './service.ts';

export async function curveOf(
  service: Service,
  session: Session,
  { since, limit }: { since: number; limit: number },
): Promise<CurveView> {
  const { store, clock, marks, monitored } = service;
  const { id, usage, context, cycle } = session;
  const read = await store.curve({ sessionId: id, since, limit: limit + 1 });
  const events = read.slice(-limit);
  // The forecast is the same whatever part of the history was asked for.
  const present = await store.curve({ sessionId: id, since: cycle.since, limit: 2 * samplesOfPace });
  const ofCycle = samplesIn(present).filter((sample) => sample.context === context.number);
  const percentage = usage?.percentage ?? null;
  return {
    session_id: id,
    name: displayName(session),
    phase: phaseOf(session),
    context: context.number,
    used_percentage: percentage,
    tokens: usage?.tokens ?? null,
    window_size: usage?.windowSize ?? null,
    model: modelOf(session),
    cost_usd: usage?.costUsd ?? null,
    marks: { ...marks, monitored: session.monitor?.enabled ?? monitored },
    cycle_began_at: iso(cycle.since),
    at: iso(clock.now()),
    samples: samplesIn(events).map((sample) => ({ ...sample, at: iso(sample.at) })),
    moments: momentsIn(events),
    more: read.length > limit,
    forecast: forecastView(forecast(ofCycle, percentage, marks.critical)),
  };
}

function samplesIn(events: readonly StoredEvent[]) {
  return events.flatMap(({ at, body }) => {
    if (!isNamed(body, 'usage sampled')) return [];
    const { context, percentage, tokens } = body;
    return [{ at, context, percentage, tokens }];
  });
}

export function momentsIn(events: readonly StoredEvent[]): MomentView[] {
  const moments: MomentView[] = [];
  for (const { at, body } of events) {
    const event = body as CurveEvent;
    const moment = (is: MomentView['is'], percentage: number | null = null) =>
      void moments.push({ at: iso(at), is, percentage });
    switch (event.type) {
      case 'usage':
        if (event.step === 'marked') moment(event.mark, event.percentage);
        break;
      case 'compaction':
        moment(event.step === 'began' ? 'compaction' : 'compacted');
        break;
      case 'context':
        moment(event.by === 'launch' || event.by === 'resume' ? event.by : 'clear');
        break;
      case 'handoff':
        // The clear that it has just made is its own.
        if (moments.at(-1)?.is === 'clear') moments.pop();
        moment('handoff');
        break;
      case 'session':
        moment(event.step);
        break;
      default:
        assertNever(event);
    }
  }
  return moments;
}

function forecastView(told: Forecast): ForecastView {
  const expected = told.is === 'expected';
  return {
    is: told.is,
    in_seconds: expected ? Math.round(told.in / 1_000) : null,
    points_per_hour: expected ? Math.round(told.pace * 10) / 10 : null,
    why: told.is === 'unknown' ? told.why : null,
  };
}

export async function contextsOf({ store }: Service, session: Session, limit: number): Promise<ContextsView> {
  const records = await store.contexts(session.id, limit);
  const contexts = records.map((record) => contextView(record, session));
  return { session_id: session.id, name: displayName(session), contexts };
}

function contextView(record: ContextRecord, session: Session): ContextView {
  const present = record.number === session.context.number;
  const began = present ? { at: session.context.beganAt, how: session.context.beganBy } : null;
  // Of the present one the last sample is known, whether the history keeps it or not.
  const usage = present ? session.usage : null;
  const isFuller = (usage?.percentage ?? -1) > (record.peak?.percentage ?? -1);
  const { ended } = record;
  return {
    number: record.number,
    provider_id: present ? session.context.providerId : record.providerId,
    present,
    began_at: isoOrNull(record.began?.at ?? began?.at),
    began_by: record.began?.how ?? began?.how ?? null,
    ended_at: isoOrNull(ended?.at),
    ended_by: ended?.how ?? null,
    ended_by_actor: ended?.by ?? null,
    ended_why: ended?.why ?? null,
    peak_percentage: (isFuller ? usage?.percentage : record.peak?.percentage) ?? null,
    peak_tokens: (isFuller ? usage?.tokens : record.peak?.tokens) ?? null,
    cost_usd: usage?.costUsd ?? record.costUsd,
    compactions: record.compactions,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | undefined): string | null => (time === undefined ? null : iso(time));

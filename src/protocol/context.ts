// Contexts: how full the present one is, how it came to that, which there were, and whose are monitored.
import { z } from '@hono/zod-openapi';
import { actor, nullableNumber, nullableText, requesterBody, sessionRef } from './fields.ts';
import { phase } from './session-view.ts';

const momentView = z.object({
  at: z.string(),
  /** `compacted`: a compaction is over. `launch`, `resume`, `clear`, `handoff`: how a context began. */
  is: z.enum([
    'warning',
    'critical',
    'compaction',
    'compacted',
    'launch',
    'resume',
    'clear',
    'handoff',
    'exited',
    'lost',
  ]),
  /** Of a mark. */
  percentage: nullableNumber,
});
export type MomentView = z.infer<typeof momentView>;

/** When the critical mark will be reached, at the pace of the last samples. */
const forecastView = z.object({
  is: z.enum(['expected', 'reached', 'unknown']),
  in_seconds: nullableNumber,
  points_per_hour: nullableNumber,
  /** Why it is not known. */
  why: nullableText,
});
export type ForecastView = z.infer<typeof forecastView>;

const curveView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    phase,
    /** The number of the present context. */
    context: z.number(),
    used_percentage: nullableNumber,
    tokens: nullableNumber,
    window_size: nullableNumber,
    model: nullableText,
    cost_usd: nullableNumber,
    /** Percentages at which the agent is told, if it is monitored. */
    marks: z.object({ warning: z.number(), critical: z.number(), monitored: z.boolean() }),
    /** When the context was last emptied. */
    cycle_began_at: z.string(),
    /** The time of this answer. */
    at: z.string(),
    /** Oldest first; one for each whole point of growth or loss, and the last before the context was emptied. */
    samples: z.array(
      z.object({ at: z.string(), context: z.number(), percentage: z.number(), tokens: nullableNumber }),
    ),
    moments: z.array(momentView),
    /** Older ones are there, which `limit` has left out. */
    more: z.boolean(),
    forecast: forecastView,
  })
  .openapi('ContextCurve');
export type CurveView = z.infer<typeof curveView>;

const contextView = z.object({
  number: z.number(),
  provider_id: nullableText,
  /** The one that the session is in; it may have ended with its agent. */
  present: z.boolean(),
  /** Null: it began before there were records. */
  began_at: nullableText,
  /** `launch`, `clear`, `handoff` or `resume`. */
  began_by: nullableText,
  ended_at: nullableText,
  /** `clear`, `handoff`, `resume`, `exited`, `lost`, `killed`, or the agent's own word. */
  ended_by: nullableText,
  /** Who cleared it, as far as it was done through sm. */
  ended_by_actor: actor.nullable(),
  ended_why: nullableText,
  /** The fullest that it was. */
  peak_percentage: nullableNumber,
  peak_tokens: nullableNumber,
  /** By the agent's own account at the end; it may count on from one context to the next. */
  cost_usd: nullableNumber,
  compactions: z.number(),
});
export type ContextView = z.infer<typeof contextView>;

const contextsView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    /** Oldest first. */
    contexts: z.array(contextView),
  })
  .openapi('Contexts');
export type ContextsView = z.infer<typeof contextsView>;

const monitorView = z.object({
  session_id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  notify_session_id: nullableText,
  used_percentage: nullableNumber,
  warned: z.boolean(),
  critical: z.boolean(),
});

export const contextRoutes = {
  'GET /sessions/context-monitor': {
    summary: 'Whose contexts are monitored',
    answer: z.object({ monitored: z.array(monitorView) }),
  },
  'POST /sessions/{ref}/context-monitor': {
    summary: 'Turn the context monitor of a session on or off',
    body: requesterBody
      .extend({ enabled: z.boolean(), notify_session_id: sessionRef.nullish() })
      .openapi('ContextMonitor'),
    answer: monitorView.extend({ status: z.enum(['enabled', 'disabled']) }),
  },
  'GET /sessions/{ref}/context': {
    summary: 'How full the context of a session is and was, and when the critical mark will be reached',
    query: z.object({
      since: z.iso.datetime({ offset: true }).optional(),
      limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    }),
    answer: curveView,
  },
  'GET /sessions/{ref}/contexts': {
    summary: 'The contexts of a session: how each began and ended',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    answer: contextsView,
  },
} as const;

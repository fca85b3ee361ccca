// The shapes of answers, for the document at /openapi.json. Only the daemon loads these; clients use the types.
import { z } from '@hono/zod-openapi';

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

export const lockView = z
  .object({
    workspace: z.string(),
    session_id: z.string(),
    session_name: z.string(),
    reason: z.string(),
    since: z.string(),
    enforced: z.boolean(),
    waiting_session_ids: z.array(z.string()),
  })
  .openapi('Lock');

export const sessionView = z
  .object({
    id: z.string(),
    name: z.string(),
    friendly_name: nullableText,
    display_name: z.string(),
    provider: z.string(),
    working_dir: z.string(),
    git_remote_url: nullableText,
    parent_session_id: nullableText,
    status: z.enum(['running', 'idle', 'stopped']),
    phase: z.enum(['starting', 'idle', 'working', 'blocked', 'compacting', 'rotating', 'exited', 'lost']),
    created_at: z.string(),
    last_activity: z.string(),
    tmux_session: z.string().nullable(),
    current_task: nullableText,
    agent_status_text: nullableText,
    agent_status_at: nullableText,
    last_handoff_path: nullableText,
    tokens_used: z.number(),
    transcript_path: nullableText,
    model: nullableText,
    agent_version: nullableText,
    screen_unrecognised_since: nullableText,
    context: z.object({
      number: z.number(),
      provider_id: nullableText,
      began_at: z.string(),
      used_percentage: z.number().nullable(),
      window_size: z.number().nullable(),
      cost_usd: z.number().nullable(),
    }),
    turn: z.object({ id: nullableText, began_at: z.string() }).nullable(),
    reminder: z
      .object({
        soft_threshold: z.number(),
        hard_threshold: z.number(),
        since: z.string(),
        next_at: nullableText,
      })
      .nullable(),
    question: z
      .object({ kind: z.enum(['permission', 'dialog']), text: z.string(), since: z.string() })
      .nullable(),
    ended: z
      .object({
        at: z.string(),
        code: z.number().nullable(),
        signal: z.number().nullable(),
        reason: z.string(),
        killed: z.boolean(),
      })
      .nullable(),
    waiting: z.object({ count: z.number(), held: nullableText }),
    lock: lockView.nullable(),
  })
  .openapi('Session');

const sender = z.union([
  z.object({ kind: z.literal('session'), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('sm') }),
]);
export const oneShotView = z
  .object({
    reminder_id: z.string(),
    session_id: z.string(),
    session_name: z.string(),
    at: z.string(),
    fires_in_seconds: z.number(),
    every_seconds: z.number().nullable(),
    message: z.string(),
    from: sender,
  })
  .openapi('OneShotView');

const evidence = z.object({ source: z.string(), id: z.string(), at: z.string() }).nullable();
const messageState = z.enum([
  'queued',
  'held',
  'typed',
  'accepted',
  'answered',
  'cut-off',
  'interrupted',
  'died',
  'cleared',
  'unknown',
  'withdrawn',
  'expired',
  'failed',
]);

export const messageView = z
  .object({
    id: z.string(),
    session_id: z.string(),
    from: sender,
    mode: z.enum(['sequential', 'important', 'urgent']),
    text: z.string(),
    created_at: z.string(),
    state: messageState,
    why: nullableText,
    evidence,
    turn: nullableText,
  })
  .openapi('Message');

export const inputAnswer = z
  .object({
    status: z.enum(['delivered', 'queued']),
    session_id: z.string(),
    delivery_mode: z.string(),
    queue_position: z.number().nullable(),
    message_id: z.string(),
    state: messageState,
    why: nullableText,
    evidence,
  })
  .openapi('InputAnswer');

export const reviewAnswer = inputAnswer
  .extend({ created: z.boolean(), name: z.string(), working_dir: z.string() })
  .openapi('ReviewAnswer');

export const errorView = z.object({ error: z.string(), detail: z.string() }).openapi('Error');
export const eventView = z
  .looseObject({ number: z.number(), session_id: z.string(), at: z.string(), type: z.string() })
  .openapi('Event');

export const curveView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    phase: z.string(),
    context: z.number(),
    used_percentage: nullableNumber,
    tokens: nullableNumber,
    window_size: nullableNumber,
    model: nullableText,
    cost_usd: nullableNumber,
    marks: z.object({ warning: z.number(), critical: z.number(), monitored: z.boolean() }),
    cycle_began_at: z.string(),
    at: z.string(),
    samples: z.array(
      z.object({ at: z.string(), context: z.number(), percentage: z.number(), tokens: nullableNumber }),
    ),
    moments: z.array(
      z.object({
        at: z.string(),
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
        percentage: nullableNumber,
      }),
    ),
    more: z.boolean(),
    forecast: z.object({
      is: z.enum(['expected', 'reached', 'unknown']),
      in_seconds: nullableNumber,
      points_per_hour: nullableNumber,
      why: nullableText,
    }),
  })
  .openapi('ContextCurve');

export const contextsView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    contexts: z.array(
      z.object({
        number: z.number(),
        provider_id: nullableText,
        present: z.boolean(),
        began_at: nullableText,
        began_by: nullableText,
        ended_at: nullableText,
        ended_by: nullableText,
        ended_by_actor: z
          .union([
            z.object({ kind: z.literal('session'), id: z.string() }),
            z.object({ kind: z.literal('person') }),
          ])
          .nullable(),
        ended_why: nullableText,
        peak_percentage: nullableNumber,
        peak_tokens: nullableNumber,
        cost_usd: nullableNumber,
        compactions: z.number(),
      }),
    ),
  })
  .openapi('Contexts');

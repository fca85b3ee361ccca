// Messages: send one, see what waits and why, follow one through its life, take one back.

import { z } from '@hono/zod-openapi';
import { eventView } from './event-view.ts';
import {
  mode,
  nullableNumber,
  nullableText,
  remindFields,
  requesterBody,
  seconds,
  sender,
  sessionRef,
} from './fields.ts';
import { waitsFor } from './session-view.ts';

export const messageState = z.enum([
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
export type MessageStateName = z.infer<typeof messageState>;

/** What proves that the agent has it. */
const evidence = z.object({ source: z.string(), id: z.string(), at: z.string() }).nullable();

export const messageView = z
  .object({
    id: z.string(),
    session_id: z.string(),
    from: sender,
    mode,
    text: z.string(),
    created_at: z.string(),
    state: messageState,
    /** Why it is held, or why it was not answered. */
    why: nullableText,
    evidence,
    /** The turn that took it. */
    turn: nullableText,
  })
  .openapi('Message');
export type MessageView = z.infer<typeof messageView>;

const inputBody = z
  .object({
    text: z.string(),
    sender_session_id: sessionRef.nullish(),
    delivery_mode: mode.default('sequential'),
    from_sm_send: z.boolean().nullish(),
    timeout_seconds: seconds.nullish(),
    notify_on_delivery: z.boolean().nullish(),
    notify_after_seconds: seconds.nullish(),
    notify_on_stop: z.boolean().nullish(),
    ...remindFields,
  })
  .openapi('Input');

/** The answer to a message that was sent. */
export const inputAnswer = z
  .object({
    /** `delivered` only when it was accepted within a short wait. */
    status: z.enum(['delivered', 'queued']),
    session_id: z.string(),
    delivery_mode: mode,
    queue_position: nullableNumber,
    message_id: z.string(),
    state: messageState,
    /** Why it is held, or why it was not answered. */
    why: nullableText,
    waits_for: waitsFor.nullable(),
    evidence,
  })
  .openapi('InputAnswer');
export type InputAnswer = z.infer<typeof inputAnswer>;

const queue = z.object({
  session_id: z.string(),
  is_idle: z.boolean(),
  pending_count: z.number(),
  /** In the order in which they will go. */
  pending_messages: z.array(messageView),
  pending_commands: z.array(z.string()).openapi({ description: "Commands of the agent's own that wait." }),
});

/** With every event that names it, oldest first. */
const trace = z.object({
  message: messageView,
  events: z.array(eventView),
  /** Of a message to a session of another node: its events are of that node. */
  way: z
    .object({
      /** Where it was sent from, and where it goes. */
      from: z.string(),
      to: z.string(),
      /** When the fleet had it; null: it waits where it was sent from. */
      left_at: nullableText,
    })
    .optional(),
});
export type Trace = z.infer<typeof trace>;

export const messageRoutes = {
  'POST /sessions/{ref}/input': { summary: 'Send a message', body: inputBody, answer: inputAnswer },
  'GET /sessions/{ref}/send-queue': { summary: 'What waits for a session, and why', answer: queue },
  'GET /sessions/{ref}/messages': {
    summary: 'The last messages to a session, the newest first',
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) }),
    answer: z.object({ session_id: z.string(), messages: z.array(messageView) }),
  },
  'GET /messages/{id}': { summary: 'The whole life of a message', answer: trace },
  'POST /messages/{id}/withdraw': {
    summary: 'Take a message back while it waits',
    body: requesterBody,
    bodyOptional: true,
    answer: messageView,
  },
} as const;

// Reminders: for a status, again and again, and for anything, once or at intervals.
import { z } from '@hono/zod-openapi';
import { nullableNumber, numberText, requesterBody, requesterQuery, sender, sessionRef } from './fields.ts';

/** One that is still to come. */
const oneShotView = z
  .object({
    reminder_id: z.string(),
    session_id: z.string(),
    session_name: z.string(),
    at: z.string(),
    fires_in_seconds: z.number(),
    /** Null: only once. */
    every_seconds: nullableNumber,
    message: z.string(),
    from: sender,
  })
  .openapi('OneShotView');
export type OneShotView = z.infer<typeof oneShotView>;

const oneShotBody = z
  .object({
    session_id: sessionRef,
    delay_seconds: z.number(),
    every_seconds: z.number(),
    message: z.string(),
    requester_session_id: sessionRef,
  })
  .partial()
  .openapi('OneShot');

export const reminderRoutes = {
  'POST /sessions/{ref}/remind': {
    summary: 'Remind a session to report its status until its turn ends',
    body: requesterBody
      .extend({ soft_threshold: z.number().nullish(), hard_threshold: z.number().nullish() })
      .openapi('Remind'),
    bodyOptional: true,
    answer: z.object({
      status: z.literal('registered'),
      session_id: z.string(),
      soft_threshold: z.number(),
      hard_threshold: z.number(),
    }),
  },
  'DELETE /sessions/{ref}/remind': {
    summary: 'Stop asking a session for its status',
    answer: z.object({ status: z.enum(['cancelled', 'none']), session_id: z.string() }),
  },
  'POST /scheduler/remind': {
    summary: 'Send a session a text after a delay, or at intervals (query or body)',
    query: oneShotBody.extend({ delay_seconds: numberText.optional(), every_seconds: numberText.optional() }),
    body: oneShotBody,
    bodyOptional: true,
    answer: z.object({
      status: z.literal('scheduled'),
      reminder_id: z.string(),
      session_id: z.string(),
      fires_in_seconds: z.number(),
    }),
  },
  'GET /scheduler/reminders': {
    summary: 'Pending reminders, of one session or of all',
    query: z.object({ session_id: sessionRef.optional() }),
    answer: z.object({ reminders: z.array(oneShotView) }),
  },
  'DELETE /scheduler/remind/{id}': {
    summary: 'Take a reminder back',
    query: requesterQuery,
    answer: z.object({ status: z.literal('cancelled'), reminder_id: z.string() }),
  },
} as const;

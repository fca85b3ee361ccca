// Triggers: programs that the configuration runs at occasions (`on:`).
import { z } from '@hono/zod-openapi';
import { nullableText, sessionRef } from './fields.ts';

export const occasion = z.enum(['waiting', 'failed', 'died', 'silent', 'finished', 'limit', 'budget']);

const triggerView = z
  .object({
    name: z.string(),
    when: z.array(occasion),
    /** Null: all of them. */
    sessions: nullableText,
    run: z.array(z.string()),
    timeout_seconds: z.number(),
    /** How it ended the last time. */
    last: z
      .object({
        at: z.string(),
        occasion,
        session_id: z.string(),
        event: z.number(),
        outcome: z.enum(['done', 'failed', 'unknown', 'dropped']),
        why: nullableText,
      })
      .nullable(),
  })
  .openapi('Trigger');
export type TriggerView = z.infer<typeof triggerView>;

export const triggerRoutes = {
  'GET /triggers': {
    summary: 'The programs that run at occasions, and how each ended the last time',
    answer: z.object({ triggers: z.array(triggerView) }),
  },
  'POST /triggers/test': {
    summary: 'Run the programs of an occasion now, with an event that is made up',
    body: z.object({ occasion, session: sessionRef.nullish() }),
    answer: z.object({
      ran: z.array(z.object({ trigger: z.string(), why: nullableText, output: z.string() })),
    }),
  },
} as const;

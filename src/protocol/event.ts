// The history, and the wait for more of it.
import { z } from '@hono/zod-openapi';
import { sessionRef } from './fields.ts';

export const eventView = z
  .looseObject({ number: z.number(), session_id: z.string(), at: z.string(), type: z.string() })
  .openapi('Event');
export type EventView = z.infer<typeof eventView>;

export const eventRoutes = {
  'GET /events': {
    summary: 'What happened, oldest first',
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      session: sessionRef.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      last: z.stringbool().default(false),
      wait: z.coerce.number().min(0).max(60).default(0),
    }),
    answer: z.object({ events: z.array(eventView) }),
  },
} as const;

// The history, the wait for more of it, and the live stream of it.
import { z } from '@hono/zod-openapi';
import { eventView } from './event-view.ts';
import { sessionRef } from './fields.ts';
import { streamItem } from './stream.ts';

export { type EventView, eventView, type KnownEvent } from './event-view.ts';
export type { StreamItem } from './stream.ts';

export const eventRoutes = {
  'GET /events': {
    summary: 'What happened, oldest first',
    query: z.object({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .openapi({ description: 'Without it: from the beginning; as a stream, from now on.' }),
      session: sessionRef.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      last: z.stringbool().default(false),
      views: z
        .stringbool()
        .default(false)
        .openapi({ description: 'As a stream: all sessions first, then each one that changes.' }),
    }),
    answer: z.object({ events: z.array(eventView) }),
    stream: streamItem,
  },
} as const;

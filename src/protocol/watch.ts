// Watches: a session asks to be told when another one is done.
import { z } from '@hono/zod-openapi';
import { numberText, sessionRef } from './fields.ts';

export const watchRoutes = {
  'POST /sessions/{ref}/watch': {
    summary: 'Tell a session once when this one is idle, has ended, or is not idle in time',
    query: z.object({
      watcher_session_id: sessionRef.optional(),
      id: z
        .string()
        .regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits')
        .optional()
        .openapi({
          description: 'What the watch is to be called. Asked for again, its watcher is told once.',
        }),
      timeout_seconds: numberText.pipe(
        z
          .number()
          .min(0)
          .max(365 * 24 * 3600),
      ),
    }),
    answer: z.object({
      status: z.literal('watching'),
      watch_id: z.string(),
      session_id: z.string(),
      timeout_seconds: z.number(),
    }),
  },
} as const;

// Handoffs: an agent rotates its own context, and finds its last document again.
import { z } from '@hono/zod-openapi';
import { nullableText, requesterBody } from './fields.ts';

export const handoffRoutes = {
  'POST /sessions/{ref}/handoff': {
    summary: 'Continue in a fresh context, from a document, once the turn has ended',
    body: requesterBody
      .extend({ file_path: z.string().min(1).max(10_000), auto: z.boolean().default(false) })
      .openapi('Handoff'),
    answer: z.object({
      status: z.enum(['scheduled', 'prepared']),
      session_id: z.string(),
      file_path: z.string(),
    }),
  },
  'GET /sessions/{ref}/handoff': {
    summary: 'The last document that was handed over',
    answer: z.object({
      session_id: z.string(),
      file_path: z.string(),
      at: z.string(),
      context: z.number(),
      /** Null: our copy is gone. */
      text: nullableText,
    }),
  },
} as const;

// A new context in a session; and the word of a client that is about to clear it by its own keys.
import { z } from '@hono/zod-openapi';
import { remindFields, requesterBody } from './fields.ts';
import { inputAnswer } from './message.ts';

export const clearRoutes = {
  'POST /sessions/{ref}/clear': {
    summary: 'Start a new context, and perhaps its first prompt',
    body: requesterBody.extend({ prompt: z.string().nullish(), ...remindFields }).openapi('Clear'),
    bodyOptional: true,
    // Only when it is proven.
    answer: z.object({
      status: z.literal('cleared'),
      session_id: z.string(),
      context: z.number(),
      /** The prompt that follows it, which is a message. */
      message: inputAnswer.optional(),
    }),
  },
  'POST /sessions/{ref}/invalidate-cache': {
    summary: 'Announce a /clear that the caller is about to type itself',
    body: requesterBody,
    bodyOptional: true,
    answer: z.object({ status: z.literal('invalidated'), session_id: z.string() }),
  },
} as const;

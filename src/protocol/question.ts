// What a session asks a human, and the answer to it.
import { z } from '@hono/zod-openapi';
import { refParam, requesterBody } from './fields.ts';

const decision = z.enum(['allow', 'deny']);

export const questionRoutes = {
  'POST /sessions/{ref}/answer': {
    summary: 'Allow or deny what a session asks permission for',
    params: refParam,
    body: requesterBody
      .extend({
        decision,
        question: z
          .string()
          .max(100)
          .nullish()
          .openapi({ description: 'The `id` of the question that was seen: no other is answered.' }),
        text: z.string().trim().min(1).max(10_000).nullish(),
      })
      .openapi('Answer'),
    // `question`: what was asked.
    answer: z.object({
      status: z.literal('answered'),
      session_id: z.string(),
      decision,
      question: z.string(),
    }),
  },
} as const;

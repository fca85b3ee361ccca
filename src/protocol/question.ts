// What a session asks a human, and the answer to it.
import { z } from '@hono/zod-openapi';
import { requesterBody } from './fields.ts';
import { ruleView } from './policy.ts';

const decision = z.enum(['allow', 'deny']);

/** An allow that is written down as a rule, for calls like the one that is asked about. */
const always = z
  .object({
    /** Which calls; without it, exactly this one. */
    pattern: z.string().trim().min(1).max(100_000).nullish(),
    /** For every session, and not only for this one. */
    all: z.boolean().default(false),
    /** It may allow everything. */
    yes: z.boolean().default(false),
  })
  .openapi('Always');

export const questionRoutes = {
  'POST /sessions/{ref}/answer': {
    summary: 'Allow or deny what a session asks permission for',
    body: requesterBody
      .extend({
        decision,
        question: z
          .string()
          .max(100)
          .nullish()
          .openapi({ description: 'The `id` of the question that was seen: no other is answered.' }),
        always: always.nullish(),
        text: z.string().trim().min(1).max(10_000).nullish(),
      })
      .openapi('Answer'),
    // `question`: what was asked.
    answer: z.object({
      status: z.literal('answered'),
      session_id: z.string(),
      decision,
      question: z.string(),
      /** The rule that was written. */
      rule: ruleView.nullable(),
    }),
  },
} as const;

// What sessions have used up: tokens, and what they cost.
import { z } from '@hono/zod-openapi';
import { nullableNumber, nullableText, sessionRef } from './fields.ts';

const tokensView = z
  .object({
    input: z.number(),
    cache_read: z.number(),
    cache_write: z.number(),
    output: z.number(),
    total: z.number(),
  })
  .openapi('Tokens');
export type TokensView = z.infer<typeof tokensView>;

const spentView = z.object({
  tokens: tokensView,
  /** As far as it is known; null: nothing of it is. */
  cost_usd: nullableNumber,
  /** Tokens whose cost nobody knows: their agent does not tell it, and their model has no price in the configuration. */
  unpriced_tokens: z.number(),
});

export const costBy = z.enum(['session', 'context', 'family', 'day']);
export type CostBy = z.infer<typeof costBy>;

const costEntry = spentView.extend({
  /** Of a family: its eldest session. */
  session_id: nullableText,
  session_name: nullableText,
  context: nullableNumber,
  /** `2026-11-16`, by the clock of the daemon's machine. */
  day: nullableText,
});
export type CostEntry = z.infer<typeof costEntry>;

const costView = z
  .object({
    by: costBy,
    /** Null: from the beginning of what is kept. */
    since: nullableText,
    /** Days and contexts in their order; sessions and families by what they have used. */
    entries: z.array(costEntry),
    total: spentView,
    unpriced_models: z.array(z.string()),
  })
  .openapi('Cost');
export type CostView = z.infer<typeof costView>;

export const costRoutes = {
  'GET /cost': {
    summary: 'What sessions have used up: tokens, and what they cost',
    query: z.object({
      session: sessionRef.optional(),
      since: z.iso.datetime({ offset: true }).optional(),
      by: costBy.optional().openapi({ description: 'Without it: by session; of one session, by context.' }),
    }),
    answer: costView,
  },
} as const;

// What the accounts of agents may use, and have used.
import { z } from '@hono/zod-openapi';
import { nullableNumber, nullableText } from './fields.ts';

export const limitView = z.object({
  /** The directory of the account. */
  account: z.string(),
  /** The kinds of agents that sessions of this account have. */
  providers: z.array(z.string()),
  /** `5h`, `week`, or the agent's own name for it. */
  window: z.string(),
  /** Null: it was reset since it was told last. */
  used_percentage: nullableNumber,
  resets_at: nullableText,
  told_at: z.string(),
  /** At the pace of the last samples; null: not known. */
  points_per_hour: nullableNumber,
  /** When nothing will be left at this pace; null: not before it resets, or not known. */
  reached_at: nullableText,
  /** `expected`, `reached`, `not-before-reset`, or `unknown` and why. */
  forecast: z.enum(['expected', 'reached', 'not-before-reset', 'unknown']),
  why: nullableText,
});
export type LimitView = z.infer<typeof limitView>;

export const limitRoutes = {
  'GET /limits': {
    summary: 'What the accounts of agents may use, how much is used, and when it resets',
    answer: z.object({ limits: z.array(limitView) }).openapi('Limits'),
  },
} as const;

// Profiles: bundles of options that the configuration names.
import { z } from '@hono/zod-openapi';
import { nullableNumber, nullableText } from './fields.ts';
import { optionsView } from './options.ts';

const amount = z.object({ usd: nullableNumber, tokens: nullableNumber }).nullable();

const profileView = optionsView.omit({ profile: true }).extend({
  name: z.string(),
  /** Null: any kind of agent. */
  agent: nullableText,
  model: nullableText,
  account: nullableText,
  worktree: z.boolean(),
  tags: z.array(z.string()),
  budget: amount,
  family_budget: amount,
  /** Why no session can be started with it now. */
  fault: nullableText,
});
export type ProfileView = z.infer<typeof profileView>;

export const profileRoutes = {
  'GET /profiles': {
    summary: 'The profiles of the configuration',
    answer: z.object({ profiles: z.array(profileView) }),
  },
} as const;

// Reviews: a review is a message to a session that can do it.
import { z } from '@hono/zod-openapi';
import { environment, line, requesterBody, sessionRef } from './fields.ts';
import { inputAnswer } from './message.ts';

const gitName = line.max(500).regex(/^[^-\s]\S*$/, 'must have no spaces and must not start with a dash');
const target = z.discriminatedUnion('of', [
  z.object({ of: z.literal('uncommitted') }),
  z.object({ of: z.literal('base'), branch: gitName }),
  z.object({ of: z.literal('commit'), commit: gitName }),
  z.object({ of: z.literal('custom'), text: z.string().trim().min(1) }),
]);
export type ReviewTarget = z.infer<typeof target>;

const reviewBody = requesterBody
  .extend({
    target,
    session: sessionRef.nullish(),
    new: z.boolean().default(false),
    working_dir: z.string().startsWith('/').max(4_096).nullish(),
    name: line.max(64).nullish(),
    model: line.nullish(),
    env: environment.optional(),
  })
  .openapi('Review');

const reviewAnswer = inputAnswer
  .extend({ created: z.boolean(), name: z.string(), working_dir: z.string() })
  .openapi('ReviewAnswer');
export type ReviewAnswer = z.infer<typeof reviewAnswer>;

export const reviewRoutes = {
  'POST /reviews': {
    summary: 'Review a change, in a session that can do it or in a new one',
    body: reviewBody,
    answer: reviewAnswer,
  },
} as const;

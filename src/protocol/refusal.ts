// What a request is answered that cannot be done.
import { z } from '@hono/zod-openapi';

import { phase } from './session-view.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** What stands against it, for programs: a face has its own words for it, or takes `detail`. */
const refusalData = z.discriminatedUnion('is', [
  z.object({ is: z.literal('no-session'), ref: z.string() }),
  z.object({ is: z.literal('several-sessions'), ref: z.string(), sessions: z.array(named).readonly() }),
  z.object({ is: z.literal('no-message'), ref: z.string() }),
  z.object({
    is: z.literal('several-messages'),
    ref: z.string(),
    messages: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
  }),
  /** Too late to take it back. */
  z.object({ is: z.literal('not-waiting'), message: z.string(), state: z.string().nullable() }),
  /** `may`: the relations to the session that would do. */
  z.object({
    is: z.literal('not-allowed'),
    session: named,
    act: z.string(),
    may: z.array(z.string()).readonly(),
  }),
  /** It has not started, it has ended, or it was killed (then it is `exited`). */
  z.object({ is: z.literal('not-running'), session: named, phase }),
  z.object({ is: z.literal('running'), session: named }),
  z.object({ is: z.literal('no-terminal'), session: named }),
  z.object({ is: z.literal('no-question'), session: named }),
  z.object({ is: z.literal('name-taken'), name: z.string() }),
  z.object({ is: z.literal('locked'), by: named, workspace: z.string(), reason: z.string() }),
]);
export type RefusalData = z.infer<typeof refusalData>;

export const errorView = z
  .object({
    /** A short code. */
    error: z.string(),
    /** What happened and why. */
    detail: z.string(),
    data: refusalData.optional(),
  })
  .openapi('Error');
export type ErrorView = z.infer<typeof errorView>;

// The end of a turn, for whoever wants it and nothing else.
import { z } from '@hono/zod-openapi';
import { nullableText, requesterBody } from './fields.ts';

const interruptAnswer = z.object({
  /** `over`: the turn has ended, but otherwise: by itself, say. */
  status: z.enum(['interrupted', 'over']),
  session_id: z.string(),
  turn: nullableText,
  /** How it ended. */
  end: z.string(),
  evidence: z.object({ source: z.string(), id: z.string(), at: z.string() }),
  /** Messages whose text stands in the composer again. */
  returned: z.array(z.string()),
});
export type InterruptAnswer = z.infer<typeof interruptAnswer>;

export const interruptRoutes = {
  'POST /sessions/{ref}/interrupt': {
    summary: 'Interrupt the turn that runs',
    body: requesterBody,
    bodyOptional: true,
    // Only when it is proven.
    answer: interruptAnswer,
  },
} as const;

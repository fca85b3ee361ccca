// Why a session is in its phase.
import { z } from '@hono/zod-openapi';
import { eventView } from './event.ts';
import { nullableText } from './fields.ts';
import { phase } from './session-view.ts';

const whyView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    phase,
    /** Null: so long ago that it is forgotten. */
    since: nullableText,
    /** What proves it; null: `sm` did it itself, or its process ended. */
    evidence: z.object({ source: z.string(), id: z.string(), at: z.string() }).nullable(),
    /** The event that brought it into this phase. */
    event: eventView.nullable(),
    /** When the agent last let us know anything. */
    heard_at: z.string(),
    /** What is under way, or in doubt. */
    notes: z.array(z.string()),
    screen_unrecognised_since: nullableText,
  })
  .openapi('Why');
export type WhyView = z.infer<typeof whyView>;

export const whyRoutes = {
  'GET /sessions/{ref}/why': { summary: 'Why a session is in its phase: the evidence', answer: whyView },
} as const;

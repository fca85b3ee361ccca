// The kinds of agents that sessions can be of.
import { z } from '@hono/zod-openapi';

const kindView = z.object({
  name: z.string(),
  /** In a sentence: start TITLE in a directory. */
  title: z.string(),
  /** It has a terminal. */
  pane: z.boolean(),
  /** Only the configuration names it. */
  configured: z.boolean(),
});

export const kindRoutes = {
  'GET /kinds': { summary: 'The kinds of agents', answer: z.object({ kinds: z.array(kindView) }) },
} as const;

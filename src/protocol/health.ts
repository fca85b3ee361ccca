// Whether the daemon lives.
import { z } from '@hono/zod-openapi';

export const health = z.object({
  status: z.literal('healthy'),
  version: z.string(),
  pid: z.number(),
  state_dir: z.string(),
  started_at: z.string(),
});
export type Health = z.infer<typeof health>;

export const healthRoutes = {
  'GET /health': { summary: 'Whether the daemon is up', answer: health },
} as const;

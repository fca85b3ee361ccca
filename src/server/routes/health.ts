import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

const answer = z.object({
  status: z.literal('healthy'),
  version: z.string(),
  pid: z.number(),
  state_dir: z.string(),
  started_at: z.string(),
});

export function healthRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('get', '/health', { summary: 'Whether the daemon lives', answer }), (c) =>
    c.json(
      {
        status: 'healthy' as const,
        version: service.version,
        pid: service.pid,
        state_dir: service.stateDir,
        started_at: new Date(service.startedAt).toISOString(),
      },
      200,
    ),
  );
}

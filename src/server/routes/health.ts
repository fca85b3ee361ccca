import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function healthRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /health'), (c) =>
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

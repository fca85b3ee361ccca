import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import { limitsOf } from '../limits.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function limitRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /limits'), async (c) => c.json({ limits: await limitsOf(service) }, 200));
}

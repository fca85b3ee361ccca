import type { OpenAPIHono } from '@hono/zod-openapi';
import { costs } from '../cost.ts';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function costRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /cost'), async (c) => c.json(await costs(service, c.req.valid('query')), 200));
}

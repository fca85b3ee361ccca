import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import { search } from '../search.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function searchRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /search'), async (c) =>
    c.json(await search(service, c.get('caller'), c.req.valid('query')), 200),
  );
}

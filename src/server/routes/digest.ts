import type { OpenAPIHono } from '@hono/zod-openapi';
import { digest } from '../digest.ts';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function digestRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /digest'), async (c) => {
    const { since, session } = c.req.valid('query');
    return c.json(await digest(service, c.get('caller'), { since: Date.parse(since), session }), 200);
  });
}

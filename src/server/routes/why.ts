import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import { findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { whyOf } from '../why.ts';
import { describe } from './describe.ts';

export function whyRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /sessions/{ref}/why'), async (c) =>
    c.json(await whyOf(service, await findAny(service, c.req.valid('param').ref)), 200),
  );
}

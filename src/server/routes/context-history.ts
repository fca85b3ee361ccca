// The history of a session's contexts: the curve of how full they were, and the list of them.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { contextsOf, curveOf } from '../context-history.ts';
import type { Env } from '../env.ts';
import { findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function contextHistoryRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /sessions/{ref}/context'), async (c) => {
    const { since, limit } = c.req.valid('query');
    const { session } = await findAny(service, c.req.valid('param').ref);
    const from = since === undefined ? 0 : Date.parse(since);
    return c.json(await curveOf(service, session, { since: from, limit }), 200);
  });

  app.openapi(describe('GET /sessions/{ref}/contexts'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    return c.json(await contextsOf(service, session, c.req.valid('query').limit), 200);
  });
}

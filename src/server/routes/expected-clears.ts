// Clients that type `/clear` themselves say so first, so that what comes of it is not taken for anything else.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { displayName } from '../../domain/core/session.ts';
import type { Env } from '../env.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function expectedClearRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/invalidate-cache'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const by = c.get('requester');
    await submit(service, session.id, {
      type: 'expect-clear',
      by: by && { kind: 'session', id: by.id, name: displayName(by) },
    });
    return c.json({ status: 'invalidated' as const, session_id: session.id }, 200);
  });
}

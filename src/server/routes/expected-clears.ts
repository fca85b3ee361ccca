// Clients that type `/clear` themselves say so first, so that what comes of it is not taken for anything else.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import { displayName } from '../../domain/core/session.ts';
import { refParam, requesterBody } from '../../protocol/request-schemas.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

const invalidated = z.object({ status: z.literal('invalidated'), session_id: z.string() });

export function expectedClearRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(
    describe('post', '/sessions/{ref}/invalidate-cache', {
      summary: 'Announce a /clear that the caller is about to type itself',
      params: refParam,
      body: requesterBody,
      bodyOptional: true,
      answer: invalidated,
    }),
    async (c) => {
      const { session } = find(service, c.req.valid('param').ref);
      const by = c.get('requester');
      const answer = await service.engine.submit(session.id, {
        type: 'expect-clear',
        by: by && { kind: 'session', id: by.id, name: displayName(by) },
      });
      if (!answer.ok) throw new Refused(answer.refusal);
      return c.json({ status: 'invalidated' as const, session_id: session.id }, 200);
    },
  );
}

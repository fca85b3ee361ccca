// Watches: a session asks to be told when another one is done.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import { refParam, watchQuery } from '../../protocol/request-schemas.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

const watching = z.object({
  status: z.literal('watching'),
  watch_id: z.string(),
  session_id: z.string(),
  timeout_seconds: z.number(),
});

export function watchRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(
    describe('post', '/sessions/{ref}/watch', {
      summary: 'Tell a session once when this one is idle, has ended, or is not idle in time',
      params: refParam,
      query: watchQuery,
      answer: watching,
    }),
    async (c) => {
      const { timeout_seconds: seconds } = c.req.valid('query');
      const { session } = find(service, c.req.valid('param').ref);
      const watcher = c.get('requester');
      if (!watcher)
        throw new Refused({
          code: 'invalid',
          message: 'Give watcher_session_id: the session to tell. A person waits with: sm wait',
        });
      const id = service.random.hex(8);
      const answer = await service.engine.submit(session.id, { type: 'watch', id, by: watcher.id, seconds });
      if (!answer.ok) throw new Refused(answer.refusal);
      return c.json(
        { status: 'watching' as const, watch_id: id, session_id: session.id, timeout_seconds: seconds },
        200,
      );
    },
  );
}

// Watches: a session asks to be told when another one is done.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { invalid } from '../../domain/core/refusal.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function watchRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/watch'), async (c) => {
    const { timeout_seconds: seconds } = c.req.valid('query');
    const { session } = find(service, c.req.valid('param').ref);
    const watcher = c.get('requester');
    if (!watcher) throw new Refused(invalid('Give watcher_session_id: the session to tell.'));
    const id = c.req.valid('query').id ?? service.random.hex(8);
    await submit(service, session.id, { type: 'watch', id, by: watcher.id, seconds });
    return c.json(
      { status: 'watching' as const, watch_id: id, session_id: session.id, timeout_seconds: seconds },
      200,
    );
  });
}

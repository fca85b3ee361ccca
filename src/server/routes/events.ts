// The history, and the wait for more of it.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import { eventView as eventSchema, eventsQuery } from '../../protocol/schemas.ts';
import type { Env } from '../app.ts';
import { isRefusal, resolveSession } from '../resolve.ts';
import type { Service } from '../service.ts';
import { eventView } from '../view.ts';
import { describe } from './describe.ts';

export function eventRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const answer = z.object({ events: z.array(eventSchema) });
  app.openapi(
    describe('get', '/events', { summary: 'What happened, oldest first', query: eventsQuery, answer }),
    async (c) => {
      const { after, session: ref, limit, last, wait } = c.req.valid('query');
      const found = ref ? resolveSession(service.engine, ref) : undefined;
      // A killed session has a history, too.
      const sessionId = found && !isRefusal(found) ? found.session.id : ref;
      const query = { after, limit, last, ...(sessionId ? { sessionId } : {}) };
      let events = await service.store.events(query);
      if (events.length === 0 && wait > 0) {
        await untilCommit(service, sessionId, wait * 1_000, c.req.raw.signal);
        events = await service.store.events(query);
      }
      return c.json({ events: events.map(eventView) }, 200);
    },
  );
}

function untilCommit(
  { engine }: Service,
  id: string | undefined,
  limit: number,
  gone: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      off();
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, limit);
    gone.addEventListener('abort', done);
    const off = engine.onCommit((session, events) => {
      if (events.length > 0 && (id === undefined || session.id === id)) done();
    });
  });
}

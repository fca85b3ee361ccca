// The history, and the live stream of it.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import { findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { streamHeaders } from '../stream-text.ts';
import { eventView } from '../view.ts';
import { describe } from './describe.ts';

export function eventRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /events'), async (c) => {
    const { after, session: ref, limit, last, views } = c.req.valid('query');
    const sessionId = ref === undefined ? undefined : (await findAny(service, ref)).session.id;
    if (c.req.header('accept')?.includes('text/event-stream')) {
      const heard = Number(c.req.header('last-event-id') ?? after ?? Number.NaN);
      const wanted = { after: Number.isSafeInteger(heard) ? heard : null, session: sessionId ?? null, views };
      return new Response(service.stream.open(wanted), { headers: streamHeaders }) as never;
    }
    const query = { after: after ?? 0, limit, last, ...(sessionId ? { sessionId } : {}) };
    const events = await service.store.events(query);
    return c.json({ events: events.map(eventView) }, 200);
  });
}

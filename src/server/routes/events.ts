// The history, the wait for more of it, and the live stream of it.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import { findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { eventView } from '../view.ts';
import { describe } from './describe.ts';

export function eventRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /events'), async (c) => {
    const { after, session: ref, limit, last, wait, views } = c.req.valid('query');
    const sessionId = ref === undefined ? undefined : (await findAny(service, ref)).session.id;
    if (c.req.header('accept')?.includes('text/event-stream')) {
      const heard = Number(c.req.header('last-event-id') ?? after ?? Number.NaN);
      const wanted = { after: Number.isSafeInteger(heard) ? heard : null, session: sessionId ?? null, views };
      return new Response(service.stream.open(wanted), { headers: streamHeaders }) as never;
    }
    const query = { after: after ?? 0, limit, last, ...(sessionId ? { sessionId } : {}) };
    // Listened for before it is looked for: nothing can happen in between unheard.
    const more = commitOf(service, sessionId, c.req.raw.signal);
    let events = await service.store.events(query);
    if (events.length === 0 && wait > 0) {
      await more.within(wait * 1_000);
      events = await service.store.events(query);
    }
    more.forget();
    return c.json({ events: events.map(eventView) }, 200);
  });
}

const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

/** The next commit with something to tell; it counts also if it comes before it is waited for. */
function commitOf({ engine }: Service, id: string | undefined, gone: AbortSignal) {
  let happened = () => {};
  const next = new Promise<void>((resolve) => {
    happened = resolve;
  });
  const off = engine.onCommit((session, events) => {
    if (events.length > 0 && (id === undefined || session.id === id)) happened();
  });
  gone.addEventListener('abort', happened);
  return {
    async within(limit: number): Promise<void> {
      const timer = setTimeout(happened, limit);
      await next;
      clearTimeout(timer);
    },
    forget(): void {
      off();
      gone.removeEventListener('abort', happened);
    },
  };
}

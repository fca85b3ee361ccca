// The context monitor of a session: on or off, and who hears of its marks besides the agent.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { monitorOf } from '../../domain/context/monitor.ts';
import { displayName, type Session } from '../../domain/core/session.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function contextMonitorRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const view = (session: Session) => {
    const { enabled, notify } = monitorOf(session, service.monitored);
    return {
      session_id: session.id,
      name: displayName(session),
      enabled,
      notify_session_id: notify,
      used_percentage: session.usage?.percentage ?? null,
      warned: session.cycle.mark !== null,
      critical: session.cycle.mark === 'critical',
    };
  };

  app.openapi(describe('GET /sessions/context-monitor'), (c) =>
    c.json({ monitored: [...service.engine.all()].map(({ session }) => view(session)) }, 200),
  );

  app.openapi(describe('POST /sessions/{ref}/context-monitor'), async (c) => {
    const { enabled, notify_session_id } = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const notify = notify_session_id ? find(service, notify_session_id).session.id : null;
    const answer = await submit(service, session.id, {
      type: 'monitor-context',
      enabled,
      notify,
      by: actorIn(c),
    });
    const status = enabled ? ('enabled' as const) : ('disabled' as const);
    return c.json({ status, ...view(answer.session) }, 200);
  });
}

// The user's programs for occasions: what they are, how they ended, and a try.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Telling } from '../../ports/telling.ts';
import { triggerChannel } from '../../ports/triggers.ts';
import type { TriggerView } from '../../protocol/trigger.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function triggerRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /triggers'), async (c) => {
    const { triggers, store } = service;
    const views = triggers.all.map(async ({ name, when, sessions, run, seconds }) => ({
      name,
      when: [...when],
      sessions,
      run: [...run],
      timeout_seconds: seconds,
      last: lastView(await store.tellings.lastTo(triggerChannel, name)),
    }));
    return c.json({ triggers: await Promise.all(views) }, 200);
  });

  app.openapi(describe('POST /triggers/test'), async (c) => {
    if (c.get('requester'))
      throw new Refused({
        code: 'forbidden',
        message: 'Only a person may try the programs of on:.',
        data: { is: 'only-a-person', act: 'try-programs' },
      });
    const { occasion, session } = c.req.valid('json');
    const ran = await service.triggers.test(occasion, session ? find(service, session).session : null);
    return c.json({ ran: [...ran] }, 200);
  });
}

function lastView(telling: Telling | null): TriggerView['last'] {
  if (!telling || telling.state.is === 'owed' || telling.state.is === 'begun') return null;
  const { state, occasion, sessionId, event } = telling;
  return {
    at: new Date(state.at).toISOString(),
    occasion,
    session_id: sessionId,
    event,
    // A program is never suppressed, and there is always one.
    outcome: state.is === 'suppressed' || state.is === 'no-device' ? 'dropped' : state.is,
    why: state.is === 'done' ? null : state.why,
  };
}

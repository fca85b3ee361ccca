// A person types into the terminal of a session. It is no business of the engine, as little as what somebody types who is
// attached to it: what stands in the composer then is a human's, and is treated so.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { named, type Session } from '../../domain/core/session.ts';
import { paneName } from '../../ports/terminal.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../guard.ts';
import { notDone, Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function typingRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/typing'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    onlyAPerson(c.get('caller'), session, 'type into');
    const { typed } = c.req.valid('json');
    const outcome = await service.terminal.typeAsHuman(paneName(session.id), typed);
    if (outcome === 'typed') return c.json({ status: 'typed' as const, session_id: session.id }, 200);
    throw notDone('press', session, 'Nothing was typed', whyNot[outcome]);
  });

  app.openapi(describe('PUT /sessions/{ref}/size'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    onlyAPerson(c.get('caller'), session, 'resize');
    const wanted = c.req.valid('json');
    const size = await service.terminal.resize(paneName(session.id), wanted);
    if (!size) throw notDone('resize', session, 'Its size stays', whyNot.gone);
    if (size.columns === wanted.columns && size.rows === wanted.rows)
      return c.json({ session_id: session.id, ...wanted }, 200);
    const why = `somebody is attached to it, with ${size.columns} × ${size.rows}`;
    throw notDone('resize', session, 'Its size stays', why);
  });
}

function onlyAPerson(caller: Caller, session: Session, act: string): void {
  if (caller.kind === 'person') return;
  throw new Refused({
    code: 'forbidden',
    message: `Only a person may ${act} the terminal of ${session.id}.`,
    data: { is: 'not-allowed', session: named(session), act: 'press', may: [] },
  });
}

const whyNot = {
  changed: 'somebody scrolls in the terminal, or its agent has ended',
  gone: 'the terminal is gone',
} as const;

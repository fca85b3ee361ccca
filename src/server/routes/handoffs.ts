// Handoffs: an agent rotates its own context, and finds its last document again.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { invalid, stands } from '../../domain/core/refusal.ts';
import { nameAndId, named } from '../../domain/core/session.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find, findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function handoffRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { documents } = service;

  app.openapi(describe('POST /sessions/{ref}/handoff'), async (c) => {
    const { file_path: path, auto } = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const by = actorIn(c);
    // What is asked for now must be there now; who prepares has yet to write it. Strangers learn nothing of files.
    const isOwn = c.get('requester')?.id === session.id;
    const fault = auto || !isOwn ? null : await documents.fault(path, session.options.sandbox?.roots);
    if (fault) throw new Refused(invalid(fault));
    const answer = await submit(service, session.id, { type: 'handoff', by, path, auto });
    if (!auto && answer.session.handoff?.path !== path)
      throw new Refused(
        stands(
          session,
          'no-work-done',
          'Handoff not scheduled: you did no work since the last ones. sm told your parent. Do some work first.',
        ),
      );
    const status = auto ? ('prepared' as const) : ('scheduled' as const);
    return c.json({ status, session_id: session.id, file_path: path }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/handoff'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { lastHandoff } = session;
    if (!lastHandoff)
      throw new Refused({
        code: 'not-found',
        message: `${nameAndId(session)} has not handed over anything yet.`,
        data: { is: 'no-handoff', session: named(session) },
      });
    const { path, at, context, copy } = lastHandoff;
    return c.json(
      {
        session_id: session.id,
        file_path: path,
        at: new Date(at).toISOString(),
        context,
        text: await documents.read(copy),
      },
      200,
    );
  });
}

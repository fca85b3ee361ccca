// Answers what a session asks, through the hook that waits with the question.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { answerQuestion } from '../answers.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { viewsOfRules } from '../policies.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function questionRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/answer'), async (c) => {
    const body = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const actor = actorIn(c);
    const device = c.get('device')?.device;
    // Whoever comes second is told where the first one was.
    const by = actor.kind === 'person' && device ? { ...actor, via: device.name } : actor;
    const { asked, rule } = await answerQuestion(service, session, { ...body, by });
    const { decision } = body;
    const shown = rule && viewsOfRules(service)(rule);
    return c.json(
      { status: 'answered' as const, session_id: session.id, decision, question: asked, rule: shown },
      200,
    );
  });
}

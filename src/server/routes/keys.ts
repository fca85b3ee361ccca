// Presses one key in a session's terminal, and says whether it went out.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Input } from '../../domain/core/input.ts';
import { stands } from '../../domain/core/refusal.ts';
import { nameAndId } from '../../domain/core/session.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { notDone, Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submitUntil, type Tell } from '../submit.ts';
import { describe } from './describe.ts';

export function keyRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/key'), async (c) => {
    const { key } = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    if (service.provider(session.provider)?.capabilities.pane === false)
      throw new Refused(
        stands(session, 'no-terminal', `${nameAndId(session)} has no terminal to press a key in.`),
      );
    const id = service.random.hex(8);
    const press: Input = { type: 'press', id, key, by: actorIn(c) };
    const { told: outcome } = await submitUntil(service, session.id, press, outcomeOf(id));
    if (outcome === 'typed') return c.json({ status: 'pressed' as const, session_id: session.id, key }, 200);
    throw notDone('press', session, 'Key not pressed', whyNot[outcome] ?? outcome);
  });
}

function outcomeOf(press: string): Tell<string> {
  return (_, events) => {
    for (const body of events) if (body.type === 'key-pressed' && body.press === press) return body.outcome;
    return undefined;
  };
}

const whyNot: Readonly<Record<string, string>> = {
  changed: 'the pane is in copy mode, or its agent has ended',
  gone: 'the pane is gone',
  unknown: 'the daemon stopped in between, so the result is unknown',
};

// Presses one key in a session's terminal, and says whether it went out.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function keyRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, random } = service;
  app.openapi(describe('POST /sessions/{ref}/key'), async (c) => {
    const { key } = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    if (service.provider(session.provider)?.capabilities.pane === false)
      throw new Refused({ code: 'conflict', message: `${session.id} has no terminal to press a key in.` });
    const id = random.hex(8);
    let off = () => {};
    const outcome = new Promise<string>((resolve) => {
      off = engine.onCommit((_, events) => {
        for (const { body } of events)
          if (body.type === 'key-pressed' && body.press === id) resolve(body.outcome);
      });
    });
    try {
      const by = actorIn(c);
      const answer = await engine.submit(session.id, { type: 'press', id, key, by });
      if (!answer.ok) throw new Refused(answer.refusal);
      const what = await outcome;
      if (what === 'typed') return c.json({ status: 'pressed' as const, session_id: session.id, key }, 200);
      throw new Refused({ code: 'conflict', message: `Key not pressed: ${whyNot[what] ?? what}.` });
    } finally {
      off();
    }
  });
}

const whyNot: Readonly<Record<string, string>> = {
  changed: 'the pane is in copy mode, or its agent has ended',
  gone: 'the pane is gone',
  unknown: 'the daemon stopped in between, so the result is unknown',
};

// Interrupts the turn that runs, and answers when that is proven.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { type EventBody, isNamed } from '../../domain/core/event.ts';
import type { SessionId } from '../../domain/core/names.ts';
import type { InterruptAnswer } from '../../protocol/interrupt.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { notDone } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submitUntil, type Tell } from '../submit.ts';
import { describe } from './describe.ts';

export function interruptRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/interrupt'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { id, turn } = session;
    const input = { type: 'interrupt', by: actorIn(c) } as const;
    const { told } = await submitUntil(service, id, input, whenOver(id, Boolean(turn?.halt)));
    if ('failed' in told) throw notDone('interrupt', session, 'The session was not interrupted', told.failed);
    return c.json(told, 200);
  });
}

type Over = InterruptAnswer | { readonly failed: string };

/** The turn that is to be interrupted has ended, or that has failed. The session itself sets the limit. */
function whenOver(id: SessionId, isAsked: boolean): Tell<Over> {
  // The end of a turn before is not the one that is waited for.
  let asked = isAsked;
  return (_, events) => {
    const end = asked ? endIn(id, events) : undefined;
    asked ||= events.some((event) => isNamed(event, 'interrupt asked'));
    return end;
  };
}

function endIn(id: SessionId, events: readonly EventBody[]): Over | undefined {
  for (const event of events) {
    if (isNamed(event, 'interrupt failed')) return { failed: event.why };
    if (!isNamed(event, 'turn ended')) continue;
    const { turn, end, evidence } = event;
    return {
      status: end === 'interrupted' ? 'interrupted' : 'over',
      session_id: id,
      turn,
      end,
      evidence: { ...evidence, at: new Date(evidence.at).toISOString() },
      returned: events.flatMap((each) =>
        isNamed(each, 'message held') && each.why === 'returned' ? [each.message] : [],
      ),
    };
  }
  return undefined;
}

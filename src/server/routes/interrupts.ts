// Interrupts the turn that runs, and answers when that is proven.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { isNamed, type NewEvent } from '../../domain/core/event.ts';
import type { Refusal } from '../../domain/core/input.ts';
import type { SessionId } from '../../domain/core/names.ts';
import type { InterruptAnswer } from '../../protocol/interrupt.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function interruptRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/interrupt'), async (c) => {
    const { id } = find(service, c.req.valid('param').ref).session;
    const over = untilOver(service, id);
    const answer = await service.engine.submit(id, { type: 'interrupt', by: actorIn(c) });
    if (!answer.ok) {
      over.cancel();
      throw new Refused(answer.refusal);
    }
    const end = await over.promise;
    if ('code' in end) throw new Refused(end);
    return c.json(end, 200);
  });
}

/** Until the turn that is to be interrupted has ended, or that has failed. The session itself sets the limit. */
function untilOver(
  { engine }: Service,
  id: SessionId,
): { promise: Promise<InterruptAnswer | Refusal>; cancel: () => void } {
  // The end of a turn before is not the one that is waited for.
  let asked = Boolean(engine.get(id)?.session.halt);
  let off = () => {};
  const promise = new Promise<InterruptAnswer | Refusal>((resolve) => {
    off = engine.onCommit((session, events) => {
      if (session.id !== id) return;
      const end = asked ? endIn(id, events) : null;
      if (end) resolve(end);
      asked ||= events.some(({ body }) => isNamed(body, 'interrupt asked'));
    });
  }).finally(() => off());
  return { promise, cancel: () => off() };
}

function endIn(id: SessionId, events: readonly NewEvent[]): InterruptAnswer | Refusal | null {
  for (const { body } of events) {
    if (isNamed(body, 'interrupt failed'))
      return { code: 'conflict', message: `The session was not interrupted: ${body.why}.` };
    if (!isNamed(body, 'turn ended')) continue;
    const { turn, end, evidence } = body;
    return {
      status: end === 'interrupted' ? 'interrupted' : 'over',
      session_id: id,
      turn,
      end,
      evidence: { ...evidence, at: new Date(evidence.at).toISOString() },
      returned: events.flatMap(({ body: each }) =>
        isNamed(each, 'message held') && each.why === 'returned' ? [each.message] : [],
      ),
    };
  }
  return null;
}

// Answers what a session asks, through the hook that waits with the question.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit, type Tell, untilCommit } from '../submit.ts';
import { describe } from './describe.ts';

export function questionRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/{ref}/answer'), async (c) => {
    const { decision, text, question: seen } = c.req.valid('json');
    const { id, provider } = find(service, c.req.valid('param').ref).session;
    const hasPane = service.provider(provider)?.capabilities.pane !== false;
    // A dialog has no room for more than yes.
    if (decision === 'allow' && text && hasPane)
      throw new Refused({
        code: 'invalid',
        message: 'Only deny takes a text: the reason. To say more, use: sm send',
      });
    const answer = await submit(service, id, {
      type: 'answer',
      by: actorIn(c),
      decision,
      text: text ?? null,
      question: seen ?? undefined,
    });
    const { question } = answer.session;
    // What becomes of an answer is decided in a later tick than the answer itself.
    const lost = await untilCommit(service, id, whyLost(question?.answer?.effect ?? '')).promise;
    if (lost !== null) {
      const instead = hasPane ? ` Answer in its terminal: sm attach ${id}` : '';
      throw new Refused({ code: 'conflict', message: `The answer did not arrive: ${lost}.${instead}` });
    }
    return c.json(
      { status: 'answered' as const, session_id: id, decision, question: question?.text ?? '' },
      200,
    );
  });
}

/** Null once the hook has it. */
function whyLost(answer: string): Tell<string | null> {
  return (_, events) => {
    for (const body of events) {
      if (!('answer' in body) || body.answer !== answer || body.step === 'answered') continue;
      return body.step === 'answer-lost' ? body.why : null;
    }
    return undefined;
  };
}

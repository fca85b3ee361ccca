// Reviews: in a session that can do them, or in a new one. A review is a message, and its end is told as any other's.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Message } from '../../domain/core/message.ts';
import { invalid } from '../../domain/core/refusal.ts';
import { reviewText } from '../../domain/core/review.ts';
import { displayName, type Session } from '../../domain/core/session.ts';
import type { Env } from '../env.ts';
import { sendMessage } from '../messages.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import { checkTarget, reviewer } from '../reviews.ts';
import type { Service } from '../service.ts';
import { createSession } from '../start-session.ts';
import { describe } from './describe.ts';
import { answerOf } from './messages.ts';

export function reviewRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /reviews'), async (c) => {
    const { target, ...body } = c.req.valid('json');
    const from = c.get('requester');
    const of = body.session ? find(service, body.session).session : null;
    const folder = body.working_dir ?? of?.workingDir ?? from?.workingDir;
    if (!folder) throw new Refused(invalid('Give a session, or a working_dir for a new one.'));
    const refusal = await checkTarget(folder, target);
    if (refusal) throw new Refused(refusal);
    const inIt = of !== null && !body.new && (service.provider(of.provider)?.capabilities.reviews ?? false);
    const { session, message, place } = inIt ? await reviewIn(of) : await reviewInNew(folder);
    return c.json(
      {
        ...answerOf(service, message, place),
        created: !inIt,
        name: displayName(session),
        working_dir: session.workingDir,
      },
      200,
    );

    async function reviewIn(session: Session) {
      const notify = { turnEnd: from !== null, accepted: false, afterSeconds: null };
      const text = reviewText(target);
      const sent = await sendMessage(service, session.id, { text, from, notify, review: target });
      return { session, ...sent };
    }

    async function reviewInNew(workingDir: string) {
      const created = await createSession(service, {
        provider: null,
        otherwise: reviewer(service) ?? '',
        workingDir,
        name: body.name ?? null,
        model: body.model ?? null,
        parent: from,
        fromParent: c.get('caller').kind === 'session',
        env: body.env,
        prompt: reviewText(target),
        review: target,
      });
      if ('refusal' in created) throw new Refused(created.refusal);
      const message = (await service.store.message(created.messageId as string)) as Message;
      return { session: created.session, message, place: null };
    }
  });
}

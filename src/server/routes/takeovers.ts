// Moves a session into a terminal, or out of it. Another kind of agent goes on with its conversation.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { isNamed } from '../../domain/core/event.ts';
import { conflict, stands } from '../../domain/core/refusal.ts';
import { nameAndId, named, type Session } from '../../domain/core/session.ts';
import type { Provider } from '../../ports/provider.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { without } from '../new-session.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { conversationId, isThere } from '../start-session.ts';
import { submitUntil, type Tell } from '../submit.ts';
import { sessionViews } from '../view.ts';
import { describe } from './describe.ts';

export function takeoverRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const sessionView = sessionViews(service.provider);
  app.openapi(describe('POST /sessions/{ref}/takeover'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { terminal, env } = c.req.valid('json');
    const twin = twinOf(service, session, terminal);
    const own = session.options.variables?.names ?? [];
    const input = {
      type: 'take-over',
      by: actorIn(c),
      to: twin.name,
      resumable: (await service.provider(session.provider)?.canResume(session)) ?? false,
      forkable: await isThere(service, session.forkedFrom),
      providerId: conversationId(service, twin),
      env: without(env ? service.cleanEnv(env) : service.defaultEnv, own),
    } as const;
    const { told } = await submitUntil(service, session.id, input, whenDecided);
    if (told.why !== null) {
      const data = { is: 'not-done', act: 'take-over', session: named(session), why: told.why } as const;
      throw new Refused(conflict(`${nameAndId(session)} was not taken over: ${told.why}.`, data));
    }
    return c.json(sessionView(find(service, session.id)), 200);
  });
}

/** `why`: why not. */
const whenDecided: Tell<{ readonly why: string | null }> = (_, events) => {
  for (const event of events) {
    if (isNamed(event, 'session moved')) return { why: null };
    if (isNamed(event, 'session not-moved')) return { why: event.why };
  }
  return undefined;
};

function twinOf(service: Service, session: Session, terminal: boolean): Provider {
  const kind = service.provider(session.provider);
  const is = nameAndId(session);
  if (kind?.capabilities.pane === terminal)
    throw new Refused(
      terminal
        ? stands(session, 'has-terminal', `${is} has a terminal already.`)
        : stands(session, 'no-terminal', `${is} has no terminal already.`),
    );
  const twin = kind?.twin === undefined ? undefined : service.provider(kind.twin);
  if (twin) return twin;
  throw new Refused(stands(session, 'no-twin', `${session.provider} sessions cannot be taken over.`));
}

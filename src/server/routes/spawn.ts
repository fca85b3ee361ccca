// Spawn: a session with its first prompt, which is a message like any other.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { emptyState } from '../../domain/core/change.ts';
import { isNamed } from '../../domain/core/event.ts';
import { conflict, invalid } from '../../domain/core/refusal.ts';
import { isAlive, type Session } from '../../domain/core/session.ts';
import type { Env, Requester } from '../env.ts';
import { worktreeIn } from '../new-session.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { wantedIn } from '../session-options.ts';
import { createSession } from '../start-session.ts';
import { type Tell, untilCommit } from '../submit.ts';
import { sessionViews } from '../view.ts';
import { describe } from './describe.ts';

export function spawnRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/spawn'), async (c) => {
    const body = c.req.valid('json');
    const parent = c.get('requester');
    if (body.on && !service.fleet())
      throw new Refused(invalid('There is no fleet: this machine works alone.'));
    const workingDir = body.working_dir ?? parent?.workingDir;
    if (!workingDir) throw new Refused(invalid('Give a working_dir: there is no parent to take it from.'));
    const ids = body.ids ?? undefined;
    const before = ids && (await startedBefore(service, ids, parent));
    const created =
      before ??
      (await createSession(service, {
        provider: body.provider ?? null,
        otherwise: parent?.provider ?? service.standardProvider,
        workingDir,
        name: body.name ?? null,
        model: body.model ?? null,
        options: wantedIn(body.options),
        parent,
        fromParent: c.get('caller').kind === 'session',
        env: body.env,
        worktree: worktreeIn(body),
        member: body.member ?? undefined,
        tags: body.tags,
        prompt: body.prompt,
        ids,
      }));
    if ('refusal' in created) throw new Refused(created.refusal);
    const { session } = created;
    const limit = { ms: (body.wait ?? 0) * 1_000, otherwise: null };
    const ended = body.wait ? await untilCommit(service, session.id, firstTurnEnd, limit).promise : null;
    const messageId = created.messageId as string;
    const view = sessionViews(service.provider)(service.engine.get(session.id) ?? emptyState(session));
    const message = await service.store.message(messageId);
    return c.json(
      {
        session_id: view.id,
        name: view.name,
        friendly_name: view.friendly_name,
        working_dir: view.working_dir,
        parent_session_id: view.parent_session_id,
        tmux_session: view.tmux_session,
        provider: view.provider,
        created_at: view.created_at,
        message_id: messageId,
        message_state: message?.state.is ?? 'queued',
        ...(body.wait
          ? { turn_ended: ended !== null, last_message: ended?.lastTurn?.lastWords ?? null }
          : {}),
      },
      200,
    );
  });
}

/** Whoever has not heard the answer asks again, by the same ids; null: there is no such session. */
async function startedBefore(
  service: Service,
  { session: id, message: messageId }: { readonly session: string; readonly message: string },
  parent: Requester | null,
): Promise<{ session: Session; messageId: string } | null> {
  const state = service.engine.get(id) ?? (await service.store.state(id));
  if (!state) return null;
  const { session } = state;
  const first = await service.store.message(messageId);
  if (session.parentId === (parent?.id ?? null) && first?.to === id) return { session, messageId };
  throw new Refused(conflict(`There is another session ${id}.`, { is: 'id-taken', id }));
}

/** The session as its first turn ended; null: it died before. */
const firstTurnEnd: Tell<Session | null> = (session, events) => {
  if (events.some((body) => isNamed(body, 'turn ended'))) return session;
  return isAlive(session) ? undefined : null;
};

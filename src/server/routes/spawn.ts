// Spawn: a session with its first prompt, which is a message like any other.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { emptyState } from '../../domain/core/change.ts';
import { isNamed } from '../../domain/core/event.ts';
import type { Session } from '../../domain/core/session.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { createSession } from '../start-session.ts';
import { sessionViews } from '../view.ts';
import { describe } from './describe.ts';

export function spawnRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /sessions/spawn'), async (c) => {
    const body = c.req.valid('json');
    const parent = c.get('requester');
    const workingDir = body.working_dir ?? parent?.workingDir;
    if (!workingDir)
      throw new Refused({
        code: 'invalid',
        message: 'Give a working_dir: there is no parent to take it from.',
      });
    const created = await createSession(service, {
      provider: body.provider ?? parent?.provider ?? 'claude',
      workingDir,
      name: body.name ?? null,
      model: body.model ?? null,
      parent,
      env: body.env,
      prompt: body.prompt,
    });
    if ('refusal' in created) throw new Refused(created.refusal);
    const ended = body.wait ? await firstTurnEnd(service, created.session.id, body.wait * 1_000) : undefined;
    const { session } = created;
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
          ? { turn_ended: ended !== undefined, last_message: ended?.lastTurn?.lastWords ?? null }
          : {}),
      },
      200,
    );
  });
}

/** The session as its first turn ended, or undefined when the time ran out or it died before. */
function firstTurnEnd({ engine }: Service, id: string, limit: number): Promise<Session | undefined> {
  return new Promise((resolve) => {
    const done = (session: Session | undefined) => {
      off();
      clearTimeout(timer);
      resolve(session);
    };
    const timer = setTimeout(() => done(undefined), limit);
    const off = engine.onCommit((session, events) => {
      if (session.id !== id) return;
      if (events.some(({ body }) => isNamed(body, 'turn ended'))) done(session);
      else if (session.process.state === 'exited' || session.process.state === 'lost') done(undefined);
    });
  });
}

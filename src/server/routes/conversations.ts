// Conversations that are not ours yet. What is in the records of the agents is the person's own, and no session's.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { emptyState } from '../../domain/core/change.ts';
import { adoptConversation, conversationView, findConversations } from '../conversations.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { wantedIn } from '../session-options.ts';
import { sessionViews } from '../view.ts';
import { describe } from './describe.ts';

export function conversationRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /conversations/find'), async (c) => {
    onlyAPerson(c);
    const { provider = null, id, below, limit, env } = c.req.valid('json');
    const search = { provider, id: id ?? null, below: below ?? null, limit, env: env ?? service.defaultEnv };
    const found = await findConversations(service, search);
    return c.json({ conversations: found.map(conversationView) }, 200);
  });

  app.openapi(describe('POST /conversations/adopt'), async (c) => {
    onlyAPerson(c);
    const { provider, id, name, model, options, tags, end_pid, env } = c.req.valid('json');
    const session = await adoptConversation(service, {
      provider,
      id,
      name: name ?? null,
      model: model ?? null,
      options: wantedIn(options),
      tags,
      endPid: end_pid ?? null,
      env,
    });
    const state = service.engine.get(session.id) ?? emptyState(session);
    return c.json(sessionViews(service.provider)(state), 200);
  });
}

function onlyAPerson(c: Context<Env>): void {
  if (c.get('caller').kind === 'person') return;
  throw new Refused({
    code: 'forbidden',
    message: 'Only a person may look at conversations that are not ours, and adopt them.',
    data: { is: 'only-a-person', act: 'adopt' },
  });
}

// The HTTP interface, without any listening: routes, refusals, and what happens to bad input.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Refusal } from '../domain/input.ts';
import type { Log } from '../ports/log.ts';
import { StoreError } from '../ports/store.ts';
import { checkCaller, checkSize, type GuardOptions } from './guard.ts';
import { clearRoutes } from './routes/clear.ts';
import { contextHistoryRoutes } from './routes/context-history.ts';
import { contextMonitorRoutes } from './routes/context-monitor.ts';
import { eventRoutes } from './routes/events.ts';
import { expectedClearRoutes } from './routes/expected-clears.ts';
import { handoffRoutes } from './routes/handoffs.ts';
import { healthRoutes } from './routes/health.ts';
import { keyRoutes } from './routes/keys.ts';
import { lockRoutes } from './routes/locks.ts';
import { messageRoutes } from './routes/messages.ts';
import { questionRoutes } from './routes/questions.ts';
import { reminderRoutes } from './routes/reminders.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { spawnRoutes } from './routes/spawn.ts';
import { watchRoutes } from './routes/watches.ts';
import type { Service } from './service.ts';

/** `via`: which door the request came through. */
export type Env = { Bindings: { via: 'unix' | 'tcp' } };

/** A text of a megabyte may take six times as much in JSON. */
const bodyLimitBytes = 8 * 1024 * 1024;

const statusOf = { invalid: 400, forbidden: 403, 'not-found': 404, conflict: 409 } as const;

/** Thrown by routes; becomes the answer. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function createApp(service: Service, guard: GuardOptions, log: Log): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>({
    defaultHook(result, c) {
      if (result.success) return;
      const problems = result.error.issues.map(
        (issue) => `${issue.path.join('.') || result.target}: ${issue.message}`,
      );
      return c.json({ error: 'invalid', detail: problems.join('; ') }, 400);
    },
  });

  app.use(async (c, next) => {
    const headers = c.req.header();
    const rejection =
      checkCaller({ via: c.env.via, method: c.req.method, path: c.req.path, headers }, guard) ??
      checkSize(headers, bodyLimitBytes);
    if (rejection) return c.json({ error: rejection.error, detail: rejection.detail }, rejection.status);
    return next();
  });

  healthRoutes(app, service);
  // Before the sessions, so that its path is not taken for the name of one.
  contextMonitorRoutes(app, service);
  sessionRoutes(app, service, guard);
  spawnRoutes(app, service);
  messageRoutes(app, service);
  reviewRoutes(app, service);
  clearRoutes(app, service);
  keyRoutes(app, service);
  questionRoutes(app, service);
  reminderRoutes(app, service);
  handoffRoutes(app, service);
  contextHistoryRoutes(app, service);
  watchRoutes(app, service);
  lockRoutes(app, service);
  expectedClearRoutes(app, service);
  eventRoutes(app, service);

  app.doc('/openapi.json', { openapi: '3.1.0', info: { title: 'sm', version: service.version } });
  app.notFound((c) =>
    c.json(
      {
        error: 'not_found',
        detail: `There is no ${c.req.method} ${c.req.path}. See /openapi.json for what there is.`,
      },
      404,
    ),
  );
  app.onError((error, c) => answerError(error, c, log));
  return app;
}

function answerError(error: Error, c: Context, log: Log): Response {
  if (error instanceof Refused)
    return c.json({ error: error.refusal.code, detail: error.refusal.message }, statusOf[error.refusal.code]);
  if (error instanceof StoreError)
    return c.json({ error: `store_${error.code}`, detail: error.message }, 503);
  if (error instanceof SyntaxError || 'getResponse' in error)
    return c.json({ error: 'invalid', detail: `The body is not valid JSON: ${error.message}` }, 400);
  log.error(
    { method: c.req.method, path: c.req.path, error: error.stack ?? String(error) },
    'a request failed',
  );
  return c.json(
    { error: 'failed', detail: `Something went wrong inside the daemon: ${error.message}. See: sm logs` },
    500,
  );
}

// The HTTP interface, without any listening: routes, refusals, and what happens to bad input.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { person } from '../domain/core/names.ts';
import type { Log } from '../ports/log.ts';
import { powerFor } from './allowed.ts';
import { readBody } from './body.ts';
import { refusedInside } from './boxed.ts';
import { callerOf, requesterOf } from './caller.ts';
import type { Present } from './devices.ts';
import type { Env } from './env.ts';
import { forwarded } from './forward.ts';
import { type Caller, checkSize, deviceOf, type GuardOptions, type Rejection } from './guard.ts';
import { problems } from './problems.ts';
import { answerError } from './refused.ts';
import { clearRoutes } from './routes/clear.ts';
import { completionRoutes } from './routes/completion.ts';
import { contextHistoryRoutes } from './routes/context-history.ts';
import { contextMonitorRoutes } from './routes/context-monitor.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { costRoutes } from './routes/cost.ts';
import { deviceRoutes } from './routes/devices.ts';
import { diffRoutes } from './routes/diff.ts';
import { digestRoutes } from './routes/digest.ts';
import { eventRoutes } from './routes/events.ts';
import { expectedClearRoutes } from './routes/expected-clears.ts';
import { handoffRoutes } from './routes/handoffs.ts';
import { healthRoutes } from './routes/health.ts';
import { interruptRoutes } from './routes/interrupts.ts';
import { keyRoutes } from './routes/keys.ts';
import { kindRoutes } from './routes/kinds.ts';
import { limitRoutes } from './routes/limits.ts';
import { lockRoutes } from './routes/locks.ts';
import { messageRoutes } from './routes/messages.ts';
import { nodeRoutes } from './routes/nodes.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { pageRoutes } from './routes/page.ts';
import { policyRoutes } from './routes/policies.ts';
import { profileRoutes } from './routes/profiles.ts';
import { pushRoutes } from './routes/push.ts';
import { questionRoutes } from './routes/questions.ts';
import { reminderRoutes } from './routes/reminders.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { searchRoutes } from './routes/search.ts';
import { selectionRoutes } from './routes/selection.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { spawnRoutes } from './routes/spawn.ts';
import { takeoverRoutes } from './routes/takeovers.ts';
import { teamRoutes } from './routes/teams.ts';
import { triggerRoutes } from './routes/triggers.ts';
import { typingRoutes } from './routes/typing.ts';
import { watchRoutes } from './routes/watches.ts';
import { whyRoutes } from './routes/why.ts';
import { worktreeRoutes } from './routes/worktrees.ts';
import type { Service } from './service.ts';

/** A text of a megabyte may take six times as much in JSON. */
const bodyLimitBytes = 8 * 1024 * 1024;

export function createApp(service: Service, guard: GuardOptions, log: Log): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>({
    defaultHook(result, c) {
      if (result.success) return;
      const { issues } = result.error;
      const detail = problems(issues, result.target, 'data' in result ? result.data : undefined);
      return c.json({ error: 'invalid', detail }, 400);
    },
  });

  app.use(async (c, next) => {
    const { method, path } = c.req;
    const headers = c.req.header();
    if (c.env.via === 'fleet') {
      const refused = fromElsewhere(service, c);
      if (refused) return reject(c, refused);
      await readBody(c.req);
      return next();
    }
    const head = { via: c.env.via, box: c.env.box, method, path, headers, session: c.req.query('session') };
    const caller = callerOf(head, guard);
    if ('status' in caller) return reject(c, caller);
    const tooLarge = checkSize(headers, bodyLimitBytes);
    if (tooLarge) return reject(c, tooLarge);
    c.set('caller', caller);
    const said = { ...c.req.query(), ...(await readBody(c.req)) };
    const inside = isInside(service, caller) ? refusedInside(method, path, said) : null;
    if (inside) return reject(c, inside);
    if (method !== 'GET') c.set('requester', requesterOf(service, caller, said));
    const device = deviceOf(head, guard);
    c.set('device', device);
    const elsewhere = await forwarded(service, c, said);
    if (elsewhere) return elsewhere;
    await next();
    if (device) attend(c, device, guard);
  });

  healthRoutes(app, service);
  // Before the sessions, so that its path is not taken for the name of one.
  contextMonitorRoutes(app, service);
  selectionRoutes(app, service);
  sessionRoutes(app, service);
  spawnRoutes(app, service);
  messageRoutes(app, service);
  reviewRoutes(app, service);
  clearRoutes(app, service);
  interruptRoutes(app, service);
  takeoverRoutes(app, service);
  keyRoutes(app, service);
  questionRoutes(app, service);
  policyRoutes(app, service);
  reminderRoutes(app, service);
  handoffRoutes(app, service);
  contextHistoryRoutes(app, service);
  costRoutes(app, service);
  limitRoutes(app, service);
  typingRoutes(app, service);
  watchRoutes(app, service);
  lockRoutes(app, service);
  worktreeRoutes(app, service);
  diffRoutes(app, service);
  conversationRoutes(app, service);
  kindRoutes(app, service);
  profileRoutes(app, service);
  teamRoutes(app, service);
  expectedClearRoutes(app, service);
  whyRoutes(app, service);
  eventRoutes(app, service);
  completionRoutes(app, service);
  searchRoutes(app, service);
  deviceRoutes(app, service, guard);
  pageRoutes(app, service);
  digestRoutes(app, service);
  triggerRoutes(app, service);
  nodeRoutes(app, service);
  notificationRoutes(app, service);
  pushRoutes(app, service, guard);

  app.doc('/openapi.json', { openapi: '3.1.0', info: { title: 'sm', version: service.version } });
  app.notFound((c) =>
    c.json(
      {
        error: 'not_found',
        detail: `Unknown request ${c.req.method} ${c.req.path}. See /openapi.json for all requests.`,
      },
      404,
    ),
  );
  app.onError((error, c) => answerError(error, c, log));
  return app;
}

const isInside = ({ engine }: Service, caller: Caller): boolean =>
  caller.kind === 'session' && engine.get(caller.id)?.session.options.sandbox != null;

/** Another node asks: as one of its sessions, or as its person, and only what it may. */
function fromElsewhere(service: Service, c: Context<Env>): Rejection | null {
  const { node = '', from = null } = c.env.fleet ?? {};
  const power = powerFor(c.req.method, c.req.path);
  if (power === null || !service.allows(node, power)) return notAllowed(service, node, power);
  c.set('caller', from ? { kind: 'session', id: `${from.id}@${node}` } : person);
  c.set('requester', from && { id: `${from.id}@${node}`, name: from.name, friendlyName: from.name });
  c.set('device', null);
  return null;
}

function notAllowed(service: Service, node: string, power: string | null): Rejection {
  const here = service.fleet()?.node ?? '';
  const detail =
    power === null
      ? `This cannot be asked for from another node. Ask on ${here} itself.`
      : `Node ${here} does not let node ${node} do this: "${power}" is not in its fleet.allow.`;
  return { status: 403, error: 'not_allowed', detail };
}

const reject = (c: Context, { status, error, detail }: Rejection): Response =>
  c.json({ error, detail }, status);

/** Its cookie is renewed, and what it listens to ends when it is signed out. */
function attend(c: Context<Env>, { device, cookie, over }: Present, { devices, site }: GuardOptions): void {
  if (devices.see(device))
    c.header('set-cookie', devices.header(cookie, site.isSecure(c.req.header('host'))));
  const { body, headers } = c.res;
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return;
  c.res = new Response(body.pipeThrough(new TransformStream(), { signal: over }), c.res);
}

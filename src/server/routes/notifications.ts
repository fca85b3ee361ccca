// Notifications: the log, the channels, and a try.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { displayName } from '../../domain/core/session.ts';
import { notifyChannel } from '../../ports/notifications.ts';
import type { Telling, TellingState } from '../../ports/telling.ts';
import type { NotificationView } from '../../protocol/notification.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function notificationRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { notifications, store, engine } = service;

  app.openapi(describe('GET /notifications'), async (c) => {
    const names = (await notifications.channels()).map(({ name }) => notifyChannel(name));
    const log = await store.tellings.log(names, c.req.valid('query').limit);
    return c.json({ notifications: await Promise.all(log.map(view)) }, 200);
  });

  app.openapi(describe('GET /notifications/channels'), async (c) => {
    const channels = (await notifications.channels()).map(({ name, kind, problem, lastSentAt }) => ({
      name,
      kind,
      problem,
      last_sent_at: iso(lastSentAt),
    }));
    return c.json({ channels }, 200);
  });

  app.openapi(describe('POST /notifications/test'), async (c) => {
    if (c.get('requester'))
      throw new Refused({
        code: 'forbidden',
        message: 'Only a person may try a channel.',
        data: { is: 'only-a-person', act: 'try-channel' },
      });
    const { channel } = c.req.valid('json');
    const sent = await notifications.test(channel);
    if (!sent) {
      const names = (await notifications.channels()).map(({ name }) => name);
      const list = names.length > 0 ? `The channels: ${names.join(', ')}.` : 'None is configured.';
      throw new Refused({
        code: 'not-found',
        message: `No channel "${channel}". ${list}`,
        data: { is: 'no-channel', ref: channel },
      });
    }
    const views = sent.map(({ to, sent: { is, ...rest } }) => ({
      to,
      outcome: is === 'done' ? ('sent' as const) : is,
      why: 'why' in rest ? rest.why : null,
    }));
    return c.json({ sent: views }, 200);
  });

  async function view(telling: Telling): Promise<NotificationView> {
    const { id, at, event, occasion, sessionId, channel, to, state } = telling;
    const session = (engine.get(sessionId) ?? (await store.state(sessionId)))?.session;
    const ended = state.is === 'owed' || state.is === 'begun' ? null : state.at;
    return {
      id,
      at: new Date(at).toISOString(),
      event,
      occasion,
      session_id: sessionId,
      session_name: session ? displayName(session) : null,
      channel: channel.slice(notifyChannel('').length),
      to,
      outcome: outcomeOf(state),
      why: ('why' in state ? state.why : null) ?? null,
      ended_at: iso(ended),
      due_at: state.is === 'owed' ? iso(state.due ?? null) : null,
    };
  }
}

function outcomeOf({ is }: TellingState): NotificationView['outcome'] {
  switch (is) {
    case 'owed':
    case 'begun':
      return 'waiting';
    case 'done':
      return 'sent';
    case 'dropped':
      return 'suppressed';
    case 'unknown':
      return 'failed';
    default:
      return is;
  }
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

// Reminders: for a status, again and again, and for anything, once or at intervals.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { OneShot } from '../../domain/core/parts.ts';
import { invalid } from '../../domain/core/refusal.ts';
import { displayName, type Session } from '../../domain/core/session.ts';
import { typeable } from '../../domain/core/typeable.ts';
import type { OneShotView } from '../../protocol/reminder.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { senderOf } from '../messages.ts';
import { Refused } from '../refused.ts';
import { thresholdsOf } from '../reminders.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function reminderRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, clock } = service;

  app.openapi(describe('POST /sessions/{ref}/remind'), async (c) => {
    const body = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const found = thresholdsOf(service.remind, {
      soft: body?.soft_threshold,
      hard: body?.hard_threshold,
      configured: 'default',
    });
    if ('refusal' in found) throw new Refused(found.refusal);
    const { soft, hard } = found.thresholds as NonNullable<typeof found.thresholds>;
    await submit(service, session.id, { type: 'remind', by: actorIn(c), soft, hard });
    return c.json(
      { status: 'registered' as const, session_id: session.id, soft_threshold: soft, hard_threshold: hard },
      200,
    );
  });

  app.openapi(describe('DELETE /sessions/{ref}/remind'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    await submit(service, session.id, { type: 'stop-reminding', by: actorIn(c) });
    const status = session.reminder ? ('cancelled' as const) : ('none' as const);
    return c.json({ status, session_id: session.id }, 200);
  });

  app.openapi(describe('POST /scheduler/remind'), async (c) => {
    const asked = { ...c.req.valid('query'), ...c.req.valid('json') };
    const { session_id, delay_seconds, message } = asked;
    if (session_id === undefined || delay_seconds === undefined || message === undefined)
      throw new Refused(invalid('A reminder needs a session_id, delay_seconds and a message.'));
    const { session } = find(service, session_id);
    const id = service.random.hex(8);
    await submit(service, session.id, {
      type: 'remind-once',
      id,
      from: senderOf(c.get('requester')),
      seconds: delay_seconds,
      every: asked.every_seconds ?? null,
      text: typeable(message),
    });
    return c.json(
      {
        status: 'scheduled' as const,
        reminder_id: id,
        session_id: session.id,
        fires_in_seconds: delay_seconds,
      },
      200,
    );
  });

  app.openapi(describe('GET /scheduler/reminders'), (c) => {
    const { session_id } = c.req.valid('query');
    const states = session_id ? [find(service, session_id)] : [...engine.all()];
    const reminders = states
      .flatMap(({ session }) => session.oneShots.map((each) => oneShotView(session, each, clock.now())))
      .sort((a, b) => a.at.localeCompare(b.at));
    return c.json({ reminders }, 200);
  });

  app.openapi(describe('DELETE /scheduler/remind/{id}'), async (c) => {
    const { id } = c.req.valid('param');
    const owner = [...engine.all()].find(({ session }) => session.oneShots.some((each) => each.id === id));
    if (!owner)
      throw new Refused({
        code: 'not-found',
        message: `No reminder ${id}.`,
        data: { is: 'no-reminder', ref: id },
      });
    await submit(service, owner.session.id, { type: 'cancel-reminder', by: actorIn(c), id });
    return c.json({ status: 'cancelled' as const, reminder_id: id }, 200);
  });
}

function oneShotView(session: Session, { id, at, every, text, from }: OneShot, now: number): OneShotView {
  return {
    reminder_id: id,
    session_id: session.id,
    session_name: displayName(session),
    at: new Date(at).toISOString(),
    fires_in_seconds: Math.max(0, Math.round((at - now) / 1_000)),
    every_seconds: every,
    message: text,
    from,
  };
}

// Web push: the browser that asks subscribes, or takes that back.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { invalid } from '../../domain/core/refusal.ts';
import type { Env } from '../env.ts';
import type { GuardOptions } from '../guard.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function pushRoutes(
  app: OpenAPIHono<Env>,
  { notifications }: Service,
  { devices }: GuardOptions,
): void {
  app.openapi(describe('GET /push'), (c) => {
    const device = c.get('device')?.device;
    const subscribed = devices.subscribed().some(({ id }) => id === device?.id);
    return c.json({ key: device ? notifications.pushKey : null, subscribed }, 200);
  });

  app.openapi(describe('PUT /push'), (c) => {
    const { endpoint, keys } = c.req.valid('json');
    if (notifications.pushKey === null) throw new Refused(invalid('No channel of the configuration pushes.'));
    devices.subscribe(idOf(c), { endpoint, keys });
    return c.json({ status: 'subscribed' as const }, 200);
  });

  app.openapi(describe('DELETE /push'), (c) => {
    devices.unsubscribe(idOf(c));
    return c.json({ status: 'unsubscribed' as const }, 200);
  });
}

function idOf(c: Context<Env>): string {
  const device = c.get('device')?.device;
  if (!device) throw new Refused(invalid('Only a browser that is signed in can be pushed to.'));
  return device.id;
}

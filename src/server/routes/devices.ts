// Signing browsers in and out.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { displayName } from '../../domain/core/session.ts';
import type { Device } from '../../ports/devices.ts';
import type { DeviceView } from '../../protocol/device.ts';
import { deviceLives, type SignedIn } from '../devices.ts';
import type { Env } from '../env.ts';
import { type GuardOptions, isOwner } from '../guard.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function deviceRoutes(app: OpenAPIHono<Env>, service: Service, guard: GuardOptions): void {
  const { codes, port, clock } = service;
  const { devices, site } = guard;

  /** Behind #, which browsers keep to themselves. */
  const addresses = (code: string) => ({
    local_url: `${site.isSecure('127.0.0.1') ? 'https' : 'http'}://127.0.0.1:${port()}/#code=${code}`,
    url: site.url && `${site.url}/#code=${code}`,
  });

  /** A browser that was left open must not be able to let others in. */
  function onlyOwner(c: Context<Env>): void {
    onlyPerson(c);
    const { method, path } = c.req;
    if (!isOwner({ via: c.env.via, method, path, headers: c.req.header() }, guard)) throw onlyAPerson();
  }

  function admitted(c: Context<Env>, { device, cookie, key }: SignedIn) {
    c.header('set-cookie', devices.header(cookie, site.isSecure(c.req.header('host'))));
    return c.json({ device: view(device, device.id), key }, 200);
  }

  app.openapi(describe('POST /devices/codes'), (c) => {
    onlyOwner(c);
    const { code, expiresAt } = codes.make();
    return c.json(
      {
        code,
        expires_at: new Date(expiresAt).toISOString(),
        ...addresses(code),
      },
      200,
    );
  });

  app.openapi(describe('POST /devices/links'), (c) => {
    onlyOwner(c);
    const { session: ref, seconds } = c.req.valid('json');
    const { session } = find(service, ref);
    const until = clock.now() + seconds * 1_000;
    const guest = { sessionId: session.id, until };
    const { device, secret } = devices.invite(`guest of ${displayName(session)} (${session.id})`, guest);
    const expires_at = new Date(until).toISOString();
    return c.json({ device: view(device, undefined), expires_at, ...addresses(secret) }, 200);
  });

  app.openapi(describe('POST /devices'), (c) => {
    const { code, name } = c.req.valid('json');
    const guest = devices.accept(code, name);
    if (guest) return admitted(c, guest);
    const outcome = codes.redeem(code, c.env.from ?? '');
    if (outcome === 'wrong')
      throw new Refused({
        code: 'forbidden',
        message: 'This code is wrong, was used, or is older than two minutes.',
        data: { is: 'wrong-code' },
      });
    if (outcome !== 'right') {
      const seconds = Math.ceil(outcome.waitMs / 1_000);
      const detail = `Too many wrong codes. Try again in ${seconds} s.`;
      return c.json({ error: 'slow_down', detail }, 429 as never, {
        'retry-after': String(seconds),
      }) as never;
    }
    return admitted(c, devices.signIn(name));
  });

  app.openapi(describe('GET /devices'), (c) => {
    const current = c.get('device')?.device.id;
    return c.json({ devices: devices.list().map((device) => view(device, current)) }, 200);
  });

  app.openapi(describe('DELETE /devices/{id}'), (c) => {
    onlyPerson(c);
    const { id } = c.req.valid('param');
    const device = devices.list().find((each) => each.id === id);
    if (!device || !devices.revoke(id))
      throw new Refused({
        code: 'not-found',
        message: `No device ${id} is signed in.`,
        data: { is: 'no-device', ref: id },
      });
    return c.json({ status: 'revoked' as const, id, name: device.name }, 200);
  });
}

function onlyPerson(c: Context<Env>): void {
  if (c.get('caller').kind !== 'person') throw onlyAPerson();
}

const onlyAPerson = (): Refused =>
  new Refused({
    code: 'forbidden',
    message: 'Only a person at this machine may sign browsers in and out.',
    data: { is: 'only-a-person', act: 'sign-in' },
  });

const view = (
  { id, name, signedInAt, seenAt, guest, isLink }: Device,
  current: string | undefined,
): DeviceView => ({
  id,
  name,
  signed_in_at: new Date(signedInAt).toISOString(),
  seen_at: new Date(seenAt).toISOString(),
  expires_at: new Date(guest ? guest.until : seenAt + deviceLives).toISOString(),
  guest_of: guest?.sessionId ?? null,
  link: isLink ?? false,
  current: id === current,
});

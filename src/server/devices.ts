// Browsers that are signed in. Each has two secrets, and shows both with every request: a cookie, which no script can
// read, and a key that the page keeps. Cookies go to every port of a host, so that any program on this machine that is
// opened in the same browser is sent ours; the key is known only to pages of this very port.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { Device, DeviceFile } from '../ports/devices.ts';
import type { Random } from '../ports/random.ts';

/** How long one that is not seen stays signed in, in ms. */
export const deviceLives = 30 * 24 * 3_600_000;
/** When it was seen is written down so often. */
const writtenEvery = 3_600_000;

/** A device whose request this is. */
export interface Present {
  readonly device: Device;
  /** Aborted when it is signed out. */
  readonly over: AbortSignal;
  readonly cookie: string;
}

export interface Devices {
  signIn(name: string): { readonly device: Device; readonly cookie: string; readonly key: string };
  /** The header that gives a browser its cookie. */
  header(cookie: string, secure: boolean): string;
  /** Whose these secrets are. */
  of(cookies: string | undefined, key: string | undefined): Present | null;
  /** Its time begins anew. True: now and then, when its cookie is to be set again. */
  see(device: Device): boolean;
  /** The one that was seen last comes first. */
  list(): readonly Device[];
  /** False: there is none. */
  revoke(id: string): boolean;
}

export interface DeviceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly file: DeviceFile;
  /** Daemons on one host share its cookies, so that each has a name of its own. */
  readonly cookieName: string;
}

interface Known {
  device: Device;
  readonly over: AbortController;
}

export function createDevices({ clock, random, file, cookieName }: DeviceDeps): Devices {
  const known = new Map<string, Known>();
  for (const device of file.read()) known.set(device.id, { device, over: new AbortController() });

  const isLive = ({ seenAt }: Device) => clock.now() < seenAt + deviceLives;
  function write(): void {
    for (const [id, { device, over }] of known)
      if (!isLive(device)) {
        known.delete(id);
        over.abort();
      }
    file.write([...known.values()].map(({ device }) => device));
  }

  return {
    header: (cookie, secure) =>
      `${cookieName}=${cookie}; Path=/; Max-Age=${deviceLives / 1_000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
    signIn(name) {
      const id = random.hex(8);
      const [secret, key] = [random.hex(48), random.hex(48)];
      const now = clock.now();
      const device = { id, name, hash: hashOf(secret, key), signedInAt: now, seenAt: now };
      known.set(id, { device, over: new AbortController() });
      write();
      return { device, cookie: `${id}.${secret}`, key };
    },
    of(cookies, key) {
      const value = cookieIn(cookies, cookieName);
      if (value === undefined || key === undefined) return null;
      const [id = '', secret = ''] = value.split('.');
      const found = known.get(id);
      if (!found || !isLive(found.device) || !isSame(found.device.hash, hashOf(secret, key))) return null;
      return { device: found.device, over: found.over.signal, cookie: value };
    },
    see({ id, seenAt }) {
      const found = known.get(id);
      if (!found || clock.now() - seenAt < writtenEvery) return false;
      found.device = { ...found.device, seenAt: clock.now() };
      write();
      return true;
    },
    list: () =>
      [...known.values()]
        .map(({ device }) => device)
        .filter(isLive)
        .sort((one, other) => other.seenAt - one.seenAt || other.signedInAt - one.signedInAt),
    revoke(id) {
      const found = known.get(id);
      if (!found) return false;
      known.delete(id);
      // First on disk: whoever is told that it is out stays out.
      write();
      found.over.abort();
      return true;
    },
  };
}

const hashOf = (secret: string, key: string): string =>
  createHash('sha256').update(`${secret}.${key}`).digest('hex');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function cookieIn(cookies: string | undefined, name: string): string | undefined {
  for (const each of cookies?.split(';') ?? []) {
    const [key, value] = each.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}

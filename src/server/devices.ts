// Browsers that are signed in. Each has two secrets, and shows both with every request: a cookie, which no script can
// read, and a key that the page keeps. Cookies go to every port of a host, so that any program on this machine that is
// opened in the same browser is sent ours; the key is known only to pages of this very port.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { Device, DeviceFile, PushDevices, Subscription } from '../ports/devices.ts';
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

type Guest = NonNullable<Device['guest']>;

export interface SignedIn {
  readonly device: Device;
  readonly cookie: string;
  readonly key: string;
}

export interface Devices extends PushDevices {
  subscribe(id: string, push: Subscription): void;
  signIn(name: string): SignedIn;
  /** A link for a guest: the first browser that shows its secret is let in. */
  invite(name: string, guest: Guest): { readonly device: Device; readonly secret: string };
  /** Null: there is no such link, or somebody has opened it. */
  accept(secret: string, name: string): SignedIn | null;
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
  for (const device of file.read()) know(device);

  function know(device: Device): void {
    const over = new AbortController();
    known.set(device.id, { device, over });
    // What a guest listens to ends with his time.
    if (device.guest) clock.timer(Math.max(0, device.guest.until - clock.now()), () => over.abort());
  }

  const isLive = ({ seenAt, guest }: Device) => clock.now() < (guest ? guest.until : seenAt + deviceLives);
  function write(): void {
    for (const [id, { device, over }] of known)
      if (!isLive(device)) {
        known.delete(id);
        over.abort();
      }
    file.write([...known.values()].map(({ device }) => device));
  }

  function admit(id: string, name: string, more: Pick<Device, 'guest'>): SignedIn {
    const [secret, key] = [random.hex(48), random.hex(48)];
    const now = clock.now();
    const device = { id, name, hash: hashOf(secret, key), signedInAt: now, seenAt: now, ...more };
    know(device);
    write();
    return { device, cookie: `${id}.${secret}`, key };
  }

  function change(id: string, changed: (device: Device) => Device): void {
    const found = known.get(id);
    if (!found) return;
    found.device = changed(found.device);
    write();
  }

  return {
    subscribe: (id, push) => change(id, (device) => ({ ...device, push })),
    unsubscribe: (id) => change(id, ({ push: _, ...device }) => device),
    subscribed: () =>
      [...known.values()].flatMap(({ device }) =>
        device.push && isLive(device) ? [{ ...device, push: device.push }] : [],
      ),
    header: (cookie, secure) =>
      `${cookieName}=${cookie}; Path=/; Max-Age=${deviceLives / 1_000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
    signIn: (name) => admit(random.hex(8), name, {}),
    invite(name, guest) {
      const [id, secret] = [random.hex(8), random.hex(48)];
      const now = clock.now();
      const device = {
        id,
        name,
        hash: hashOf(secret, ''),
        signedInAt: now,
        seenAt: now,
        guest,
        isLink: true,
      } as const;
      know(device);
      write();
      return { device, secret: `${id}.${secret}` };
    },
    accept(link, name) {
      const [id = '', secret = ''] = link.split('.');
      const device = known.get(id)?.device;
      if (!device?.isLink || !device.guest || !isLive(device)) return null;
      if (!isSame(device.hash, hashOf(secret, ''))) return null;
      return admit(id, `${name}, ${device.name}`, { guest: device.guest });
    },
    of(cookies, key) {
      const value = cookieIn(cookies, cookieName);
      if (value === undefined || key === undefined) return null;
      const [id = '', secret = ''] = value.split('.');
      const found = known.get(id);
      if (
        !found ||
        found.device.isLink ||
        !isLive(found.device) ||
        !isSame(found.device.hash, hashOf(secret, key))
      )
        return null;
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

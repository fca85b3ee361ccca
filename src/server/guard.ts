// Who may come in, decided from the request's head alone. The unix socket is its owner's; on TCP a web page or another
// user of the machine may knock, so everything there is checked.

import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/core/names.ts';
import type { CallerKeys } from './caller-keys.ts';
import type { Devices, Present } from './devices.ts';
import { pagePaths } from './page.ts';
import type { Site } from './site.ts';

/** `box`: that of one session in a sandbox, which can reach no other. */
export interface Door {
  readonly via: 'unix' | 'tcp' | 'fleet' | 'box';
  readonly box?: string | undefined;
}

export interface Head extends Door {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The session that its query names. */
  readonly session?: string | undefined;
}

/** `guest`: may look at one session. `script`: nobody knows who; it got in because that door is open, and hears no more than a script needs. */
export type Caller =
  | Actor
  | { readonly kind: 'script' }
  | { readonly kind: 'guest'; readonly session: string };

export interface GuardOptions {
  readonly auth: 'token' | 'none';
  readonly token: string;
  /** Scripts that do not send the token may tell facts, and ask for what they need of a session. */
  readonly openHooks: boolean;
  readonly keys: CallerKeys;
  readonly devices: Devices;
  readonly site: Site;
}

export interface Rejection {
  readonly status: 400 | 401 | 403 | 411 | 413 | 415;
  readonly error: string;
  readonly detail: string;
}

export function checkDoor(head: Head, guard: GuardOptions): Rejection | null {
  const { via, headers } = head;
  const foreign = via === 'tcp' ? checkOrigin(headers, guard.site) : null;
  if (foreign) return foreign;
  if (hasBody(head) && !isJson(headers['content-type'])) {
    return {
      status: 415,
      error: 'not_json',
      detail: 'Send JSON, with the header content-type: application/json.',
    };
  }
  if (via === 'box' || isTrusted(head, guard) || isOpen(head, guard)) return null;
  return {
    status: 401,
    error: 'no_token',
    detail:
      'Send the header "Authorization: Bearer TOKEN"; the token is in the file "token" of the state directory.',
  };
}

/** Whether it comes from the owner of the state directory, or from somebody to whom he lets everything. */
export const isTrusted = (head: Head, guard: GuardOptions): boolean =>
  isOwner(head, guard) || deviceOf(head, guard) !== null;

/** Whether it can read the state directory, or nobody needs to. */
export const isOwner = (head: Head, { auth, token }: GuardOptions): boolean =>
  head.via === 'unix' || (head.via !== 'box' && (auth === 'none' || hasToken(head, token)));

/** The browser whose page asks. */
export function deviceOf({ via, headers }: Head, { devices }: GuardOptions): Present | null {
  const [cookies, key] = [headers.cookie, headers['x-sm-page']];
  return via === 'tcp' && typeof key === 'string' ? devices.of(String(cookies ?? ''), key) : null;
}

/** Where a web page says that it comes from, and whom it thinks that it asks. */
function checkOrigin({ host, origin }: Head['headers'], site: Site): Rejection | null {
  if (!site.isOwnHost(host))
    return {
      status: 403,
      error: 'foreign_host',
      detail: `This server answers only to ${site.names}.`,
    };
  if (origin === undefined || site.isOwnOrigin(origin, host)) return null;
  return { status: 403, error: 'foreign_origin', detail: 'Requests from other web pages are refused.' };
}

/** How much may come is known from the head: a body without a length is not read at all. */
export function checkSize(headers: Head['headers'], limit: number): Rejection | null {
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, error: 'no_length', detail: 'Send the body with a content-length.' };
  if (Number(headers['content-length'] ?? 0) <= limit) return null;
  return { status: 413, error: 'too_large', detail: `The body may have at most ${limit} bytes.` };
}

/** What goes without the token: whether we live, the page itself, signing in, and what open hooks tell and ask. */
function isOpen({ method, path }: Head, { openHooks }: GuardOptions): boolean {
  if (method === 'POST' && path === '/devices') return true;
  if (method === 'GET' && pagePaths.test(path)) return true;
  if (openHooks && path.startsWith('/hooks/')) return true;
  return method === 'GET' && (path === '/health' || (openHooks && isSessionPath(path)));
}

/** One session by its name, and not the list of what all of them are monitored for. */
const isSessionPath = (path: string): boolean =>
  /^\/sessions\/[^/]+$/.test(path) && path !== '/sessions/context-monitor';

function hasToken({ headers }: Head, token: string): boolean {
  const given = Buffer.from(String(headers.authorization ?? '').replace(/^Bearer /i, ''));
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function hasBody({ headers }: Head): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(type: string | string[] | undefined): boolean {
  return typeof type === 'string' && /^application\/json(;\s*[a-z0-9-]+=[^;]+)*$/i.test(type);
}

const shown = ['', '/screen', '/messages', '/context', '/contexts', '/output'];

/** What a guest is shown: one session, and nothing of any other. */
export function isForGuest({ method, path, session }: Head, id: string): boolean {
  if (method !== 'GET') return false;
  return path === '/events' ? session === id : shown.some((part) => path === `/sessions/${id}${part}`);
}

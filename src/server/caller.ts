// Who is calling: decided once for each request, from its head; and for whom a request acts, from what it says besides.

import type { Context } from 'hono';
import { type Actor, person, type SessionId } from '../domain/core/names.ts';
import { nameAndId, type Session } from '../domain/core/session.ts';
import type { Env } from './env.ts';
import {
  type Caller,
  checkDoor,
  deviceOf,
  type GuardOptions,
  type Head,
  isForGuest,
  isTrusted,
  type Rejection,
} from './guard.ts';
import { Refused } from './refused.ts';
import { find } from './resolve.ts';
import type { Service } from './service.ts';

export function callerOf(head: Head, guard: GuardOptions): Caller | Rejection {
  const rejection = checkDoor(head, guard);
  if (rejection) return rejection;
  if (head.via === 'box') return insideOf(head.box as string, head.headers['x-sm-caller'], guard);
  const guest = deviceOf(head, guard)?.device.guest;
  if (guest)
    return isForGuest(head, guest.sessionId) ? { kind: 'guest', session: guest.sessionId } : onlyLooks;
  const key = head.headers['x-sm-caller'];
  if (key === undefined) return isTrusted(head, guard) ? person : { kind: 'script' };
  const id = guard.keys.owner(String(key));
  return id === null ? unknownKey : { kind: 'session', id };
}

/** Its key is not asked for, and no other one counts: who comes through that door cannot be anybody else. */
function insideOf(
  id: SessionId,
  key: string | string[] | undefined,
  { keys }: GuardOptions,
): Caller | Rejection {
  if (key === undefined || keys.owner(String(key)) === id) return { kind: 'session', id };
  const detail = `You are in the sandbox of session ${id}; you cannot act as another one.`;
  return { status: 403, error: 'forbidden', detail };
}

const onlyLooks: Rejection = {
  status: 403,
  error: 'guest',
  detail: 'A guest may look at one session, and do nothing.',
};

const unknownKey: Rejection = {
  status: 403,
  error: 'unknown_key',
  detail:
    'The key in x-sm-caller (SM_CALLER) belongs to no session of this daemon. It may come from another state directory ' +
    '(SM_HOME), or be older than its file "secret". Restoring a session gives it a new key.',
};

/** How a request says for whom it acts. */
export const requesterNames: readonly string[] = [
  'sender_session_id',
  'requester_session_id',
  'parent_session_id',
  'watcher_session_id',
];

/**
 * Whoever came with a key acts for that session, and for no other, whatever the request says. Without one, the session
 * that is named acts; null: the person does.
 */
export function requesterOf(service: Service, caller: Caller, said: object): Session | null {
  const named = requesterNames.flatMap((name) => {
    const value = (said as Record<string, unknown>)[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  if (caller.kind !== 'session') return named[0] === undefined ? null : sessionNamed(service, named[0]);
  const self = service.engine.get(caller.id)?.session;
  if (!self) throw forbidden(caller.id, `Your key belongs to session ${caller.id}, which no longer exists.`);
  for (const name of named) {
    const other = sessionNamed(service, name);
    if (other.id !== self.id)
      throw forbidden(self.id, `You are ${nameAndId(self)}; you cannot act as ${nameAndId(other)}.`);
  }
  return self;
}

function sessionNamed(service: Service, name: string): Session {
  try {
    return find(service, name).session;
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'not-found') throw error;
    const message = `The request names an unknown session "${name}".`;
    throw new Refused({ code: 'not-found', message, data: { is: 'no-session', ref: name } });
  }
}

export function actorIn(c: Context<Env>): Actor {
  const requester = c.get('requester');
  return requester ? { kind: 'session', id: requester.id } : person;
}

const forbidden = (session: SessionId, message: string): Refused =>
  new Refused({ code: 'forbidden', message, data: { is: 'not-yourself', session } });

// Locks: one session at a time says that a workspace is its own. It is the owner's state, so it ends with the owner,
// and with nothing less: the end of a turn is not the end of the work. Whoever waits for it is told once.

import type { Change } from '../core/change.ts';
import type { Input, Others, Refusal } from '../core/input.ts';
import type { Actor, SessionId } from '../core/names.ts';
import { conflict, notRunning, stands } from '../core/refusal.ts';
import { type Holder, nameAndId, named, type Session } from '../core/session.ts';
import { tellLockFree, tellLockHeld, tellLockTakenAway } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';

/** Whether a session other than `except` holds the lock on a workspace, and which. */
export function holderOf(
  sessions: Iterable<Session>,
  workspace: string,
  except: SessionId | null,
): Holder | null {
  for (const session of sessions)
    if (session.id !== except && session.lock?.workspace === workspace) return session as Holder;
  return null;
}

export function lock(
  c: Change,
  input: Extract<Input, { type: 'lock' }>,
  others: Others,
): Refusal | undefined {
  const { workspace, reason, enforced } = input;
  const { id, process, lock: own } = c.session;
  if (process.state !== 'launching' && process.state !== 'running')
    return notRunning(c.session, `${nameAndId(c.session)} has ended, so it cannot hold a lock.`);
  if (own && own.workspace !== workspace) {
    const message = `You already hold the lock on ${own.workspace}, and a session holds one at a time.`;
    return conflict(message, { is: 'holds-another', workspace: own.workspace });
  }
  const holder = others.lockOn(workspace, id);
  if (holder) {
    const data = { is: 'locked', by: named(holder), workspace, reason: holder.lock.reason } as const;
    return conflict(heldBy(holder, c.now), data);
  }
  const { since, waiters } = own ?? { since: c.now, waiters: [] };
  c.update({ lock: { workspace, reason, since, enforced, waiters } });
  c.emit({ type: 'lock', step: 'taken', workspace, reason, enforced });
  return undefined;
}

export function unlock(c: Change, by: Actor): Refusal | undefined {
  const { id, lock: own } = c.session;
  const isOwner = by.kind === 'session' && by.id === id;
  if (!own) return stands(c.session, 'no-lock', `${nameAndId(c.session)} holds no lock.`);
  release(c, by, isOwner ? 'released it' : 'no longer holds it');
  if (!isOwner) tellLockTakenAway(c, own, by);
  return undefined;
}

/** `by`: who did it, or nobody when the owner is gone. */
export function release(c: Change, by: Actor | null, how: string): void {
  const { lock: own } = c.session;
  if (!own) return;
  c.update({ lock: null });
  c.emit({ type: 'lock', step: 'released', workspace: own.workspace, by, how });
  for (const waiter of own.waiters) tellLockFree(c, waiter, own, how);
}

export function awaitLock(c: Change, input: Extract<Input, { type: 'await-lock' }>): Refusal | undefined {
  const { id, by, seconds, workspace } = input;
  const { lock: own } = c.session;
  if (own?.workspace !== workspace)
    return stands(c.session, 'no-lock', `${nameAndId(c.session)} holds no lock on ${workspace}.`);
  if (by === c.session.id) return conflict('You already hold this lock.', { is: 'own-lock', workspace });
  // Whoever asks again waits anew, and is told once.
  const others = own.waiters.filter((each) => each.by !== by);
  c.update({ lock: { ...own, waiters: [...others, { id, by, seconds, until: c.now + seconds * 1_000 }] } });
  c.emit({ type: 'lock', step: 'awaited', workspace, wait: id, by, seconds });
  return undefined;
}

export function lockDue(c: Change): void {
  const { lock: own } = c.session;
  const over = own?.waiters.filter(({ until }) => until <= c.now) ?? [];
  if (!own || over.length === 0) return;
  c.update({ lock: { ...own, waiters: own.waiters.filter((each) => !over.includes(each)) } });
  for (const waiter of over) tellLockHeld(c, waiter, own);
}

/** What an agent is told whose edit is not let through. */
export const editDenied = (holder: Holder, now: number): string =>
  `${heldBy(holder, now)} ${wording.editDenied(holder)}`;

function heldBy(holder: Holder, now: number): string {
  const { workspace, reason, since } = holder.lock;
  const age = wording.lasting(now - since);
  return `${nameAndId(holder)} has held the lock on ${workspace} for ${age}: "${reason}".`;
}

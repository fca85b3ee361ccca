// Locks: one session at a time says that a workspace is its own. It is the owner's state, so it ends with the owner,
// and with nothing less: the end of a turn is not the end of the work. Whoever waits for it is told once.

import type { Draft } from '../core/change.ts';
import type { Input, Refusal, World } from '../core/input.ts';
import type { Actor, SessionId } from '../core/names.ts';
import type { Holder } from '../core/session.ts';
import { displayName, type Session } from '../core/session.ts';
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

export function lock(d: Draft, input: Extract<Input, { type: 'lock' }>, world: World): Refusal | undefined {
  const { workspace, reason, enforced } = input;
  const { id, process, lock: own } = d.session;
  if (process.state !== 'launching' && process.state !== 'running')
    return { code: 'conflict', message: `${d.session.id} has ended, and cannot hold a lock.` };
  if (own && own.workspace !== workspace) {
    const message = `You hold the lock on ${own.workspace}, and a session holds one at a time. Release it first: sm unlock`;
    return { code: 'conflict', message };
  }
  const holder = world.lockOn(workspace, id);
  if (holder) return { code: 'conflict', message: `${heldBy(holder, d.now)} ${howToWait}` };
  const { since, waiters } = own ?? { since: d.now, waiters: [] };
  d.update({ lock: { workspace, reason, since, enforced, waiters } });
  d.emit({ type: 'lock-taken', workspace, reason, enforced });
  return undefined;
}

export function unlock(d: Draft, by: Actor): Refusal | undefined {
  const { id, lock: own } = d.session;
  const isOwner = by.kind === 'session' && by.id === id;
  if (!own)
    return { code: 'conflict', message: `${displayName(d.session)} (${id}) holds no lock. See: sm status` };
  release(d, by, isOwner ? 'released it' : 'does not hold it any more');
  if (!isOwner) tellLockTakenAway(d, own, by);
  return undefined;
}

/** `by`: who did it, or nobody when the owner is gone. */
export function release(d: Draft, by: Actor | null, how: string): void {
  const { lock: own } = d.session;
  if (!own) return;
  d.update({ lock: null });
  d.emit({ type: 'lock-released', workspace: own.workspace, by, how });
  for (const waiter of own.waiters) tellLockFree(d, waiter, own, how);
}

export function awaitLock(d: Draft, input: Extract<Input, { type: 'await-lock' }>): Refusal | undefined {
  const { id, by, seconds, workspace } = input;
  const { lock: own } = d.session;
  if (own?.workspace !== workspace)
    return { code: 'conflict', message: `${d.session.id} holds no lock on ${workspace}.` };
  if (by === d.session.id) return { code: 'conflict', message: 'You hold this lock yourself.' };
  // Who asks again waits anew, and is told once.
  const others = own.waiters.filter((each) => each.by !== by);
  d.update({ lock: { ...own, waiters: [...others, { id, by, seconds, until: d.now + seconds * 1_000 }] } });
  d.emit({ type: 'lock-awaited', workspace, wait: id, by, seconds });
  return undefined;
}

export function lockDue(d: Draft): void {
  const { lock: own } = d.session;
  const over = own?.waiters.filter(({ until }) => until <= d.now) ?? [];
  if (!own || over.length === 0) return;
  d.update({ lock: { ...own, waiters: own.waiters.filter((each) => !over.includes(each)) } });
  for (const waiter of over) tellLockHeld(d, waiter, own);
}

/** What an agent is told whose edit is not let through. */
export function editDenied(holder: Holder, now: number): string {
  const ask = `to ask its owner: sm send ${holder.id} "TEXT"`;
  return `${heldBy(holder, now)} Until it is released, nobody else may edit files there. ${howToWait}; ${ask}`;
}

const howToWait = 'To be told when it is free: sm lock "REASON" --wait SECONDS';

function heldBy(holder: Holder, now: number): string {
  const { workspace, reason, since } = holder.lock;
  const age = wording.lasting(now - since);
  return `${displayName(holder)} (${holder.id}) has held the lock on ${workspace} for ${age}: "${reason}".`;
}

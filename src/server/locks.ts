// Locks as the routes and the hooks need them: taken or waited for, and asked about before an edit.

import { isAbsolute, resolve } from 'node:path';
import type { Refusal } from '../domain/core/input.ts';
import type { Actor, SessionId } from '../domain/core/names.ts';
import type { Holder } from '../domain/core/session.ts';
import { displayName, isAlive, type Session, type State } from '../domain/core/session.ts';
import type { ToldCall } from '../domain/policy/call.ts';
import { editDenied, holderOf } from '../domain/promises/locks.ts';
import type { Engine } from '../engine/engine.ts';
import type { HookInput, Provider } from '../ports/provider.ts';
import type { LockView } from '../protocol/lock.ts';
import { workspacesAround } from './workspace.ts';

/** A lock that is free again just when one wants to wait for it is simply taken; more often than this it is bad luck. */
const tries = 5;

export interface LockRequest {
  readonly by: Actor;
  readonly workspace: string;
  readonly reason: string;
  readonly enforced: boolean;
  /** How long to wait for one that is not free; null: not at all. */
  readonly wait: { readonly id: string; readonly seconds: number } | null;
}

type Locked =
  | { readonly is: 'taken'; readonly holder: Holder }
  | { readonly is: 'awaited'; readonly holder: Holder }
  | { readonly refusal: Refusal };

export async function takeLock(
  engine: Engine,
  id: SessionId,
  { by, workspace, reason, enforced, wait }: LockRequest,
): Promise<Locked> {
  for (let left = tries; ; left -= 1) {
    const answer = await engine.submit(id, { type: 'lock', by, workspace, reason, enforced });
    if (answer.ok) return { is: 'taken', holder: answer.session as Holder };
    const self = engine.get(id)?.session;
    const couldWait = answer.refusal.code === 'conflict' && self && isAlive(self) && !self.lock;
    if (!wait || left === 0 || !couldWait) return { refusal: answer.refusal };
    const holder = holderOf(sessions(engine), workspace, id);
    if (!holder) continue;
    const awaited = await engine.submit(holder.id, { type: 'await-lock', by: id, workspace, ...wait });
    if (awaited.ok) return { is: 'awaited', holder: awaited.session as Holder };
  }
}

export function allLocks(engine: Engine): Holder[] {
  return [...sessions(engine)].filter((session): session is Holder => Boolean(session.lock));
}

export function holderIn(engine: Engine, workspace: string): Holder | null {
  return holderOf(sessions(engine), workspace, null);
}

/** The sessions that live, and work in this workspace. */
export async function sessionsIn(engine: Engine, workspace: string): Promise<State[]> {
  const living = [...engine.all()].filter(({ session }) => isAlive(session));
  const near = await Promise.all(
    living.map(
      async ({ session }) =>
        session.lock?.workspace === workspace ||
        (await workspacesAround(session.workingDir)).includes(workspace),
    ),
  );
  return living.filter((_, index) => near[index]);
}

/** What the hook of an edit prints: nothing when the agent may go on. */
export async function answerToEdit(
  { engine, provider, now }: EditDeps,
  sessionId: SessionId,
  hook: HookInput,
): Promise<string> {
  const enforced = allLocks(engine).filter(({ id, lock }) => lock.enforced && id !== sessionId);
  const session = engine.get(sessionId)?.session;
  const calls = session && provider(session.provider)?.calls;
  // Nearly always: then not even the path is looked at.
  if (enforced.length === 0 || !calls) return '';
  for (const file of editedBy(calls.read(hook))) {
    const around = await workspacesAround(file);
    const holder = enforced.find(({ lock }) => around.includes(lock.workspace));
    if (holder) return calls.deny(editDenied(holder, now()));
  }
  return '';
}

/** The files that a call is about to change, by their absolute paths, as far as these are known. */
function editedBy(told: ToldCall | null): string[] {
  if (told?.does.is !== 'edit') return [];
  const { cwd } = told;
  return told.does.paths.flatMap((path) => {
    if (isAbsolute(path)) return [path];
    return path !== '' && cwd !== null && isAbsolute(cwd) ? [resolve(cwd, path)] : [];
  });
}

export interface EditDeps {
  readonly engine: Engine;
  readonly provider: (name: string) => Provider | undefined;
  readonly now: () => number;
}

export function lockView(holder: Holder): LockView {
  const { workspace, reason, since, enforced, waiters } = holder.lock;
  return {
    workspace,
    session_id: holder.id,
    session_name: displayName(holder),
    reason,
    since: new Date(since).toISOString(),
    enforced,
    waiting_session_ids: waiters.map(({ by }) => by),
  };
}

function* sessions(engine: Engine): Iterable<Session> {
  for (const { session } of engine.all()) yield session;
}

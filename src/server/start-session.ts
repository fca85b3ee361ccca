// Starts a session, or one that has ended once more. Everything that can be wrong is found before anything is changed.

import { execFile } from 'node:child_process';
import type { Refusal } from '../domain/core/input.ts';
import { quietly } from '../domain/core/message.ts';
import type { Actor } from '../domain/core/names.ts';
import { invalid } from '../domain/core/refusal.ts';
import { isAlive, type Origin, type Session, type State } from '../domain/core/session.ts';
import type { Provider } from '../ports/provider.ts';
import type { Requester } from './env.ts';
import { type NewMessage, newMessage } from './messages.ts';
import { checkSession, type NewSession, sandboxOf, without } from './new-session.ts';
import { refuseIfOpen } from './open-conversations.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import { keptOptions, variablesAgain } from './session-options.ts';

type Created =
  | { readonly session: Session; readonly messageId: string | null }
  | { readonly refusal: Refusal };

export async function createSession(service: Service, request: NewSession): Promise<Created> {
  const { engine } = service;
  const checked = await checkSession(service, request);
  if ('refusal' in checked) return checked;
  const { provider, profile, options: wanted, tags, env } = checked;
  const id = request.ids?.session ?? (await freeId(service));
  const worktree = request.worktree ?? (profile?.worktree ? { branch: null, base: null, setup: true } : null);
  const planned = worktree
    ? await service.worktrees.plan({
        ...worktree,
        sessionId: id,
        sessionName: request.name,
        directory: request.workingDir,
      })
    : null;
  if (planned && 'fault' in planned) return { refusal: invalid(planned.fault) };
  if (planned?.unallowed) return { refusal: setupNotAllowed(request.workingDir) };
  const sandbox = await sandboxOf(service, request, wanted, planned?.worktree ?? null);
  if (sandbox && 'refusal' in sandbox) return sandbox;
  const prompt =
    request.prompt === null
      ? null
      : await newMessage(service, {
          ...firstPrompt(request.prompt, request.parent),
          ...(request.ids && { id: request.ids.message }),
          review: request.review,
        });
  const { copyOf } = request;
  const chosen = copyOf ? { ...wanted, profile: copyOf.profile } : wanted;
  const options = await keptOptions(service, id, chosen, sandbox);
  const answer = await engine.submit(id, {
    type: 'create',
    id,
    provider: provider.name,
    providerId: request.adopts?.providerId ?? conversationId(service, provider),
    adopts: request.adopts?.transcript ?? null,
    parentId: request.parent?.id ?? null,
    name: `${provider.name}-${id}`,
    friendlyName: request.name,
    workingDir: planned?.workingDir ?? request.workingDir,
    worktree: planned?.worktree ?? null,
    gitRemoteUrl: await gitRemote(request.workingDir),
    model: request.model ?? profile?.model ?? null,
    options,
    forkedFrom: copyOf?.origin ?? null,
    member: request.member ?? null,
    tags,
    env,
    prompt,
    budgets: {
      own: profile?.budget ?? service.budgets.session,
      family: profile?.family_budget ?? (request.parent ? null : service.budgets.family),
    },
  });
  if (answer.ok) return { session: answer.session, messageId: prompt?.id ?? null };
  if (options.variables) await service.ownVariables.drop(id, options.variables);
  return { refusal: answer.refusal };
}

interface Restoring {
  readonly by: Actor;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** Values for the session's own variables, on top of those that are kept. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function restoreSession(
  service: Service,
  { session }: State,
  { by, env, variables }: Restoring,
): Promise<void> {
  const { process, id } = session;
  const alive =
    process.state === 'lost' &&
    process.pid !== null &&
    !(await service.processEnds(process.pid, process.startedAt));
  const provider = service.provider(session.provider);
  const resumable = (await provider?.canResume(session)) ?? false;
  const given = env ? service.cleanEnv(env) : service.defaultEnv;
  if (provider && resumable && !alive && !isAlive(session)) {
    const kept =
      session.options.variables && (await service.ownVariables.values(id, session.options.variables));
    await refuseIfOpen(service, session, provider, { ...given, ...kept, ...variables });
  }
  const own = await variablesAgain(service, session, variables);
  if ('refusal' in own) throw new Refused(own.refusal);
  const answer = await service.engine.submit(id, {
    type: 'restore',
    by,
    oldProcess: alive ? 'alive' : 'gone',
    resumable,
    providerId: conversationId(service, provider),
    forkable: await isThere(service, session.forkedFrom),
    env: without(given, (own.changed ?? session.options.variables)?.names ?? []),
    ...(own.changed && { variables: own.changed }),
  });
  const unneeded = answer.ok ? own.changed && session.options.variables : own.changed;
  if (unneeded) await service.ownVariables.drop(id, unneeded);
  if (!answer.ok) throw new Refused(answer.refusal);
}

/** Whether the agent still has that conversation, as far as its session knows it. */
export async function isThere(service: Service, origin: Origin | null): Promise<boolean> {
  if (!origin) return false;
  const session = (service.engine.get(origin.id) ?? (await service.store.state(origin.id)))?.session;
  if (!session || session.context.providerId !== origin.providerId) return false;
  return (await service.provider(session.provider)?.canResume(session)) ?? false;
}

/** Null: the agent names it. */
export const conversationId = ({ random }: Service, provider: Provider | undefined): string | null =>
  provider?.capabilities.namesConversation ? null : random.uuid();

/** A parent hears of its child's first turn as it does of any message that it sends. */
const firstPrompt = (text: string, from: Requester | null): NewMessage => ({
  text,
  from,
  notify: { ...quietly, turnEnd: from !== null },
});

async function freeId(service: Service): Promise<string> {
  for (;;) {
    const id = service.random.hex(8);
    if (!service.engine.get(id) && !(await service.store.state(id))) return id;
  }
}

function gitRemote(folder: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, 'remote', 'get-url', 'origin'], { timeout: 2_000 }, (error, stdout) =>
      resolve(error ? null : stdout.trim() || null),
    );
  });
}

const setupNotAllowed = (directory: string): Refusal =>
  invalid(
    'This repository has a set-up script for worktrees, .sm/worktree-setup, that a person has not allowed.',
    { is: 'setup-not-allowed', directory },
  );

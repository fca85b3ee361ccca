// Starts a session that begins with a copy of another one's conversation, and is started as that one is.
import { mayFork } from '../domain/core/authority.ts';
import type { Refusal } from '../domain/core/input.ts';
import type { Actor } from '../domain/core/names.ts';
import { conflict, invalid, stands } from '../domain/core/refusal.ts';
import { nameAndId, named, type Session, type State } from '../domain/core/session.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import { createSession } from './start-session.ts';

interface Forking {
  readonly by: Actor;
  readonly name: string | null;
  readonly env: Readonly<Record<string, string>> | undefined;
}

export async function forkSession(
  service: Service,
  { session }: State,
  { by, name, env }: Forking,
): Promise<Session> {
  const refusal = mayFork(session, by) ?? (await cannotFork(service, session));
  if (refusal) throw new Refused(refusal);
  const { variables, profile, sandbox, ...options } = session.options;
  const own = variables ? await service.ownVariables.values(session.id, variables) : {};
  if (own === null)
    throw new Refused(
      conflict(`The values of its variables are gone: ${variables?.names.join(', ')}.`, {
        is: 'variables-gone',
        session: named(session),
        names: variables?.names ?? [],
      }),
    );
  const { number: context, providerId } = session.context;
  const created = await createSession(service, {
    provider: session.provider,
    otherwise: session.provider,
    workingDir: session.workingDir,
    name,
    model: session.model,
    options: { ...options, sandbox: sandbox !== null, profile: null, env: own },
    sandbox,
    parent: parentOf(service, session, by),
    fromParent: false,
    env,
    prompt: null,
    copyOf: { origin: { ...named(session), context, providerId: providerId as string }, profile },
  });
  if ('refusal' in created) throw new Refused(created.refusal);
  return created.session;
}

/** A session's own copy is its child; one that a person makes stands beside the original. */
function parentOf({ engine }: Service, { parentId }: Session, by: Actor): Session | null {
  const id = by.kind === 'session' ? by.id : parentId;
  return (id === null ? undefined : engine.get(id)?.session) ?? null;
}

async function cannotFork(service: Service, session: Session): Promise<Refusal | undefined> {
  const called = nameAndId(session);
  const provider = service.provider(session.provider);
  if (!provider?.capabilities.fork)
    return invalid(
      `${called} cannot be forked: ${provider?.title ?? session.provider} cannot continue a conversation twice.`,
    );
  if (session.context.providerId !== null && (await provider.canResume(session))) return undefined;
  return stands(
    session,
    'nothing-said',
    `${called} cannot be forked: nothing that was said in its context ${session.context.number} is kept yet.`,
  );
}

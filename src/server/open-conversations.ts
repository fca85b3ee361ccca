// Which conversations are open in which process: one that has two owners is spoilt.
import { conflict } from '../domain/core/refusal.ts';
import { named, type Session } from '../domain/core/session.ts';
import type { Environment, Provider } from '../ports/provider.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';

/** The process; without a pid, it runs elsewhere. */
export interface OpenIn {
  readonly pid: number | null;
  readonly startedAt: string | null;
}

export async function openConversations(
  { processes }: Pick<Service, 'processes'>,
  provider: Provider,
  env: Environment,
): Promise<ReadonlyMap<string, OpenIn>> {
  const open = new Map<string, OpenIn>();
  await Promise.all(
    ((await provider.history?.open(env)) ?? []).map(async ({ providerId, pid, startedAt: said }) => {
      const startedAt = pid === null ? null : await processes.startedAt(pid);
      // A process that has ended, and perhaps another one with its pid.
      const isGone = pid !== null && (startedAt === null || (said !== null && said !== startedAt));
      if (!isGone) open.set(providerId, { pid, startedAt });
    }),
  );
  return open;
}

/** Somebody may have gone on with the conversation of a session that has ended. `env`: of the agent that is to be started. */
export async function refuseIfOpen(
  service: Service,
  session: Session,
  provider: Provider,
  env: Environment,
): Promise<void> {
  const { context } = session;
  if (context.providerId === null) return;
  const open = await openConversations(service, provider, env);
  const by = open.get(context.providerId);
  if (by) throw isOpen(context.providerId, by.pid, 'is open in another process', session);
}

export const isOpen = (
  id: string,
  pid: number | null,
  how = 'is open in another process',
  session?: Session,
): Refused =>
  new Refused(
    conflict(
      `The conversation ${id} ${how}${pid === null ? '' : ` (pid ${pid})`}. It can have one owner only.`,
      { is: 'conversation-open', conversation: id, pid, ...(session && { session: named(session) }) },
    ),
  );

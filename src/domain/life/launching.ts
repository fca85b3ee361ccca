// One more launch of a session: with the conversation that it has, or with a new one.
import type { Change } from '../core/change.ts';
import type { Context, Replaced } from '../core/session.ts';

interface Relaunch {
  /** Whether the agent still has the conversation; if not, it starts a new one under `providerId`. */
  readonly resumable: boolean;
  /** Whether the conversation that it was to be a copy of can be copied again. */
  readonly forkable?: boolean;
  readonly providerId: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** `tell`: says so, and whether the conversation goes on. `replaces`: the process that is to be ended first. */
export function relaunch(
  c: Change,
  how: Relaunch,
  tell: (resumed: boolean) => void,
  replaces: Replaced | null = null,
): void {
  const { context } = c.session;
  const resumed = how.resumable && context.providerId !== null ? context.providerId : null;
  const resume = resumed !== null;
  // An agent may write its copy only when something is said in it.
  const isUnsaidCopy = context.beganBy === 'fork' && !context.used;
  const fork = !resume && isUnsaidCopy && how.forkable ? c.session.forkedFrom?.providerId : undefined;
  const providerId = resumed ?? how.providerId;
  c.update({
    process: { state: 'launching', since: c.now, resume, announced: null, replaces },
    context: resume
      ? { ...context, ended: false, successor: null }
      : freshContext(context, providerId, c.now, fork === undefined ? 'launch' : 'fork'),
    earlyEnds: [],
    lastActivityAt: c.now,
    agentVersion: null,
  });
  tell(resume || fork !== undefined);
  const { number, beganBy } = c.session.context;
  if (!resume) c.emit({ type: 'context', step: 'began', context: number, providerId, by: beganBy });
  c.owe({
    ...{ do: 'launch', providerId, resume, env: how.env },
    ...(fork !== undefined && { fork }),
    ...(replaces && { replaces: { pid: replaces.pid, startedAt: replaces.startedAt } }),
  });
}

/** A conversation that nobody has any more is followed by the next; one in which nothing was said just starts again. */
function freshContext(
  { number, used }: Context,
  providerId: string | null,
  now: number,
  by: Context['beganBy'],
): Context {
  return firstContext(used ? number + 1 : number, providerId, now, by);
}

export function firstContext(
  number: number,
  providerId: string | null,
  now: number,
  beganBy: Context['beganBy'],
): Context {
  return {
    number,
    providerId,
    previous: null,
    beganAt: now,
    beganBy,
    announcedAt: null,
    copiedAt: null,
    ended: false,
    successor: null,
    transcript: null,
    used: false,
  };
}

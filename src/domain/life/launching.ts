// One more launch of a session: with the conversation that it has, or with a new one.
import type { Change } from '../core/change.ts';
import type { Context, Replaced } from '../core/session.ts';

interface Relaunch {
  /** Whether the agent still has the conversation; if not, it starts a new one under `providerId`. */
  readonly resumable: boolean;
  readonly providerId: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** `tell`: says so, and whether the conversation goes on. `replaces`: the process that is to be ended first. */
export function relaunch(
  c: Change,
  how: Relaunch,
  tell: (resumed: boolean) => void,
  replaces?: Replaced,
): void {
  const { context } = c.session;
  const resumed = how.resumable && context.providerId !== null ? context.providerId : null;
  const resume = resumed !== null;
  const providerId = resumed ?? how.providerId;
  c.update({
    process: {
      ...{ state: 'launching', since: c.now, resume, announced: null },
      ...(replaces && { replaces }),
    },
    context: resume
      ? { ...context, ended: false, successor: null }
      : freshContext(context, providerId, c.now),
    earlyEnds: [],
    lastActivityAt: c.now,
    agentVersion: null,
  });
  tell(resume);
  if (!resume)
    c.emit({ type: 'context', step: 'began', context: c.session.context.number, providerId, by: 'launch' });
  const { pid, startedAt } = replaces ?? {};
  c.owe({
    ...{ do: 'launch', providerId, resume, env: how.env },
    ...(pid !== undefined && startedAt !== undefined && { replaces: { pid, startedAt } }),
  });
}

/** A conversation that nobody has any more is followed by the next; one in which nothing was said just starts again. */
function freshContext({ number, used }: Context, providerId: string | null, now: number): Context {
  return firstContext(used ? number + 1 : number, providerId, now);
}

export function firstContext(number: number, providerId: string | null, now: number): Context {
  return {
    number,
    providerId,
    previous: null,
    beganAt: now,
    beganBy: 'launch',
    ended: false,
    successor: null,
    transcript: null,
    used: false,
  };
}

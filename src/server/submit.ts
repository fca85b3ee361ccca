// How a route submits an input to the engine, and waits for what a later commit says of it.
import type { EventBody } from '../domain/core/event.ts';
import type { Input } from '../domain/core/input.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import type { Answer } from '../engine/engine.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';

/** What a commit says to the one who waits; undefined: not yet. */
export type Tell<T> = (session: Session, events: readonly EventBody[]) => T | undefined;

export interface Limit<T> {
  readonly ms: number;
  /** What is said when the time is over, or the one who asked has gone. */
  readonly otherwise: T;
  readonly gone?: AbortSignal;
}

export interface Waiting<T> {
  readonly promise: Promise<T>;
  /** Stops listening; the promise may then never settle. */
  cancel(): void;
}

type Deps = Pick<Service, 'engine' | 'clock'>;

/** Listens from now on, to one session or to all (null): begin before the question whose answer you wait for. */
export function untilCommit<T>(
  { engine, clock }: Deps,
  id: SessionId | null,
  tell: Tell<T>,
  limit?: Limit<T>,
): Waiting<T> {
  let cancel = () => {};
  const promise = new Promise<T>((resolve) => {
    const done = (told: T) => {
      cancel();
      resolve(told);
    };
    const off = engine.onCommit((session, events) => {
      if (id !== null && session.id !== id) return;
      const told = tell(
        session,
        events.map(({ body }) => body),
      );
      if (told !== undefined) done(told);
    });
    const giveUp = () => limit && done(limit.otherwise);
    const timer = limit && clock.timer(limit.ms, giveUp);
    limit?.gone?.addEventListener('abort', giveUp);
    cancel = () => {
      off();
      timer?.cancel();
      limit?.gone?.removeEventListener('abort', giveUp);
    };
  });
  return { promise, cancel };
}

export type Done = Extract<Answer, { ok: true }>;

/** Throws if it is refused. */
export async function submit({ engine }: Deps, id: SessionId, input: Input): Promise<Done> {
  const answer = await engine.submit(id, input);
  if (!answer.ok) throw new Refused(answer.refusal);
  return answer;
}

/** The same, and waits for what becomes of it. */
export async function submitUntil<T>(
  service: Deps,
  id: SessionId,
  input: Input,
  tell: Tell<T>,
  limit?: Limit<T>,
): Promise<{ readonly answer: Done; readonly told: T }> {
  const waiting = untilCommit(service, id, tell, limit);
  try {
    const answer = await submit(service, id, input);
    return { answer, told: await waiting.promise };
  } finally {
    waiting.cancel();
  }
}

// Which branch each session is on. It is read when the agent has done something, because that is when it may have
// changed; nothing is polled, no list has to ask, and a message that only waits costs nothing.
import { sameCheckout } from '../domain/core/checkout.ts';
import type { NewEvent } from '../domain/core/event.ts';
import type { SessionId } from '../domain/core/names.ts';
import { isAlive, type Session } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../ports/log.ts';
import { checkoutAt } from './git-head.ts';

/** What tells that the agent was at work. */
const work: ReadonlySet<NewEvent['body']['type']> = new Set([
  'session',
  'turn',
  'context',
  'question',
  'status-reported',
  'said',
  'worktree',
] as const);

export interface Checkouts {
  /** Called after each commit. */
  attend(session: Session, events: readonly NewEvent[]): void;
}

export function followCheckouts({ engine, log }: { engine: Engine; log: Log }): Checkouts {
  /** Who is being looked at, and whether more has happened since. */
  const looking = new Map<SessionId, { again: boolean }>();

  async function look(id: SessionId): Promise<void> {
    const session = engine.get(id)?.session;
    if (!session || !isAlive(session)) return;
    const checkout = await checkoutAt(session.workingDir);
    const known = engine.get(id)?.session;
    if (known && !sameCheckout(known.checkout, checkout))
      await engine.submit(id, { type: 'checkout-seen', checkout });
  }

  return {
    attend({ id }, events) {
      if (!events.some(({ body }) => work.has(body.type))) return;
      const present = looking.get(id);
      if (present) {
        present.again = true;
        return;
      }
      const mine = { again: true };
      looking.set(id, mine);
      void (async () => {
        while (mine.again) {
          mine.again = false;
          await look(id);
        }
      })()
        .catch((error: unknown) => log.warn({ session: id, error: String(error) }, 'cannot tell its branch'))
        .finally(() => looking.delete(id));
    },
  };
}

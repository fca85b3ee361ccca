// Drains a session's spool whenever something arrives there, for as long as its agent lives.
import { isAlive, type Session } from '../domain/core/session.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Intake } from './intake.ts';
import type { Spool } from './spool.ts';

export interface SpoolWatch {
  /** At the start: all that waits, after the watches stand, so that nothing is missed and each is drained once. */
  open(sessions: readonly Session[]): Promise<void>;
  attend(session: Session): void;
  close(): void;
}

/** A drain that fails is tried again. */
export function watchSpools({
  spool,
  intake,
  clock,
  log,
}: {
  spool: Spool;
  intake: Intake;
  clock: Clock;
  log: Log;
}): SpoolWatch {
  const watches = new Map<string, Promise<() => void>>();

  function drain(id: string): void {
    intake.drain(id).catch((error: unknown) => {
      log.warn({ session: id, error: String(error) }, 'the spool was not drained; trying again in a second');
      clock.timer(1_000, () => watches.has(id) && drain(id));
    });
  }

  function watch(id: string): Promise<() => void> {
    const watched = spool.watch(id, () => drain(id));
    watches.set(id, watched);
    return watched;
  }

  return {
    async open(sessions) {
      await Promise.all(sessions.filter(isAlive).map(({ id }) => watch(id)));
      await intake.drain();
    },
    attend(session) {
      const wanted = isAlive(session);
      const watched = watches.get(session.id);
      if (wanted && !watched) {
        // What came before the watch stood.
        void watch(session.id).then(() => drain(session.id));
      } else if (!wanted && watched) {
        watches.delete(session.id);
        drain(session.id);
        void watched.then((close) => close());
      }
    },
    close() {
      for (const watched of watches.values()) void watched.then((close) => close());
      watches.clear();
    },
  };
}

// What the log should say aloud of what was decided: something was done because nothing better was known.
import { isNamed, type NewEvent } from '../domain/core/event.ts';
import type { Session } from '../domain/core/session.ts';
import type { Log } from '../ports/log.ts';

export function warn(log: Log, { id }: Session, events: readonly NewEvent[]): void {
  for (const { body } of events) {
    if (isNamed(body, 'one-shot forced'))
      log.warn(
        { session: id, reminder: body.reminder },
        `the session still compacts after ${body.seconds} s: its reminder goes anyway`,
      );
    if (isNamed(body, 'compaction ended') && body.overdue)
      log.warn({ session: id }, `gave up waiting for a compaction: ${body.why}`);
  }
}

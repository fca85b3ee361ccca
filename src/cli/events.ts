// Reads the history of a session, and waits for more of it.
import type { EventView } from '../protocol/session.ts';
import { type Client, query } from './client.ts';

interface EventPage {
  readonly events: EventView[];
}

/** A request is not kept open longer, so that a daemon that was cut off is noticed. */
const longestWaitSeconds = 25;

/** The newest of what has happened so far, oldest first. */
export async function lastEvents(client: Client, session: string, limit: number): Promise<EventView[]> {
  const { events } = await client.get<EventPage>(`/events${query({ session, limit, last: true })}`);
  return events;
}

/** The number of the last thing that has happened so far. */
export async function newestEvent(client: Client, session: string): Promise<number> {
  return (await lastEvents(client, session, 1)).at(-1)?.number ?? 0;
}

/** What happens after an event, as it happens, until nobody asks any more or the time is over. */
export async function* followEvents(
  client: Client,
  session: string,
  after: number,
  secondsLeft: () => number = () => Number.POSITIVE_INFINITY,
): AsyncGenerator<EventView[]> {
  for (let last = after; ; ) {
    const wait = Math.min(longestWaitSeconds, Math.ceil(secondsLeft()));
    if (wait <= 0) return;
    const path = `/events${query({ session, after: last, wait })}`;
    const { events } = await client.get<EventPage>(path, { waitSeconds: wait, start: false });
    if (events.length > 0) yield events;
    last = events.at(-1)?.number ?? last;
  }
}

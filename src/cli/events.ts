// Reads the history of a session, and waits for more of it, or for the end of a message.

import type { LiveItem, StreamOptions } from '../client/stream.ts';
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';
import type { Client } from './daemon/client.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { isOver, stateText } from './text/message.ts';

/** The newest of what has happened so far, oldest first. */
export async function lastEvents(client: Client, session: string, limit: number): Promise<EventView[]> {
  const { events } = await client.ask('GET /events', { query: { session, limit, last: true } });
  return events;
}

/** The number of the last thing that has happened so far. */
export async function newestEvent(client: Client, session: string): Promise<number> {
  return (await lastEvents(client, session, 1)).at(-1)?.number ?? 0;
}

/** Without a limit: for ever. */
type SecondsLeft = () => number;

/** What happens after an event, as it happens, until nobody asks any more or the time is over. */
export async function* followEvents(
  client: Client,
  session: string,
  after: number,
  left?: SecondsLeft,
): AsyncGenerator<EventView> {
  for await (const item of follow(client, { session, after }, left))
    if (item.is === 'event') yield item.event;
}

/** The live stream, until the time is over. Whoever waits for a daemon that has gone is told so. */
export async function* follow(
  client: Client,
  wanted: StreamOptions,
  left: SecondsLeft = () => Number.POSITIVE_INFINITY,
): AsyncGenerator<Exclude<LiveItem, { is: 'away' }>> {
  if (left() <= 0) return;
  const over = new AbortController();
  const stop = whenOver(left, () => over.abort());
  try {
    for await (const item of client.stream({ ...wanted, signal: over.signal })) {
      if (item.is !== 'away') yield item;
      else if (item.why === 'stopping') throw new Failure('The daemon has stopped. Start it with: sm up', 2);
      else if (item.why === 'lost') throw new Failure('The daemon does not answer any more. See: sm logs', 2);
      // The clock may be ahead of the timer.
      if (item.is === 'event' && left() <= 0) return;
    }
  } finally {
    stop();
  }
}

/** The time that is left may grow meanwhile, and be longer than a timer can run. */
function whenOver(left: SecondsLeft, act: () => void): () => void {
  const longest = 24 * 3_600;
  const look = () => (left() <= 0 ? act() : arm());
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    if (left() < Number.POSITIVE_INFINITY) timer = setTimeout(look, Math.min(left(), longest) * 1_000);
  };
  arm();
  return () => clearTimeout(timer);
}

export interface MessageEnd {
  /** The state that the message has come to: `answered`, or why there is no answer. */
  readonly outcome: string;
  readonly why: string | null;
  /** The last words of the turn that ended. Of a message that was cut off they are not its answer. */
  readonly last_message: string | null;
}

export interface SentMessage {
  readonly session_id: string;
  readonly message_id: string;
  /** The number of an event from before it was sent. */
  readonly after: number;
  /** From when on its end is waited for; from now on, if it is not said. */
  readonly since?: number;
}

export const isAnswered = ({ outcome }: MessageEnd): boolean => outcome === 'answered';

export async function messageEnd(
  io: Pick<Io, 'now'>,
  client: Client,
  { session_id, message_id: called, after, since = io.now() }: SentMessage,
  seconds: number,
): Promise<MessageEnd> {
  // Events of another node call it as that does.
  const message_id = called.replace(/@.*$/, '');
  const end = since + seconds * 1000;
  const seen: EventView[] = [];
  for await (const event of followEvents(client, session_id, after, () => (end - io.now()) / 1000)) {
    seen.push(event);
    const found = endIn(seen, message_id);
    if (found) return found;
  }
  return { outcome: stateIn(seen, message_id), why: `no answer within ${seconds} s`, last_message: null };
}

function endIn(events: readonly EventView[], message: string): MessageEnd | undefined {
  const last = lastOf(events, message);
  const outcome = stateIn(events, message);
  if (last && isOver(outcome)) {
    const turn =
      'turn' in last &&
      events.findLast((event) => eventName(event) === 'turn ended' && event.turn === last.turn);
    const words = turn ? turn.last_words : null;
    const why = typeof last.why === 'string' ? last.why : null;
    return { outcome, why, last_message: typeof words === 'string' ? words : null };
  }
  const gone = events.findLast((event) => ['session exited', 'session lost'].includes(eventName(event)));
  return gone && { outcome, why: `the session ended: ${gone.reason}`, last_message: null };
}

const lastOf = (events: readonly EventView[], message: string): EventView | undefined =>
  events.findLast(({ type, message: id }) => type === 'message' && id === message);

const stateIn = (events: readonly EventView[], message: string): string =>
  String(lastOf(events, message)?.state ?? 'queued');

/** `cut off by message #0123abcd from lead (f00df00d)`, `no answer after 60 s (it is accepted)`. */
export function endText({ outcome, why }: MessageEnd): string {
  return isOver(outcome) ? stateText(outcome, why) : `${why} (it is ${outcome})`;
}

// What the page is told: all sessions as they change, by the daemon's stream, and more of the one that is opened.
import type { Client } from '../client/client.ts';
import { oneAtATime } from '../client/one-at-a-time.ts';
import { Refused } from '../client/refused.ts';
import { dropKey, readGuest } from './key.ts';
import type { Store } from './store.ts';

const shownMessages = 50;
const shownEvents = 200;
/** Of all kinds, of which those of messages are a part. */
const flowEvents = 1_000;

export interface Feed {
  /** Messages and events of this session, until another is followed. */
  follow(id: string | null): void;
  /** What happened to messages lately; what happens next is told anyway. */
  flow(): void;
  stop(): void;
}

export function openFeed(client: Client, store: Store): Feed {
  const { tell } = store;
  let stream = new AbortController();
  /** The number of the last event that was heard. */
  let last: number | undefined;
  let followed: string | null = null;
  let isOver = false;

  async function listen(signal: AbortSignal): Promise<void> {
    const after = last === undefined ? {} : { after: last };
    const guest = readGuest();
    const only = guest === null ? {} : { session: guest };
    for await (const item of client.stream({ views: true, signal, ...after, ...only })) {
      if (item.is === 'away') tell({ is: 'away', at: Date.now() });
      if (item.is === 'connected') {
        last = item.after;
        tell({ is: 'sessions', sessions: item.sessions ?? [] });
        tell({ is: 'channels', broken: item.broken_channels ?? [] });
        follow(followed);
        flow();
      }
      if (item.is === 'channels') tell({ is: 'channels', broken: item.broken });
      if (item.is === 'session') tell({ is: 'session', session: item.session });
      if (item.is === 'event') {
        last = item.event.number;
        tell({ is: 'event', event: item.event });
        if (item.event.session_id === followed && 'message' in item.event) messages();
      }
    }
  }

  function start(): void {
    stream = new AbortController();
    listen(stream.signal).catch(fail);
  }

  /** A browser has few connections to one host: pages that nobody looks at give theirs back. */
  function seen(): void {
    if (isOver) return;
    stream.abort();
    if (document.visibilityState === 'visible') start();
  }

  function fail(error: unknown): void {
    if (isOver || (error instanceof DOMException && error.name === 'AbortError')) return;
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    dropKey();
    stop();
    tell({ is: 'signed-out', why: null });
  }

  const messages = oneAtATime(async () => {
    const id = followed;
    if (id === null) return;
    const query = { limit: shownMessages };
    const { messages } = await client.ask('GET /sessions/{ref}/messages', { ref: id, query });
    tell({ is: 'detail', id, part: { messages } });
  });

  async function events(id: string): Promise<void> {
    const query = { session: id, last: true, limit: shownEvents };
    const { events } = await client.ask('GET /events', { query });
    tell({ is: 'detail', id, part: { events } });
  }

  function follow(id: string | null): void {
    followed = id;
    if (id === null) return;
    messages();
    events(id).catch(quietly);
  }

  function flow(): void {
    if (store.state.flow === null) return;
    const query = { last: true, limit: flowEvents };
    client.ask('GET /events', { query }).then(({ events }) => tell({ is: 'flow', events }), quietly);
  }

  function stop(): void {
    isOver = true;
    stream.abort();
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', seen);
  }

  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', seen);
  start();
  return { follow, flow, stop };
}

/** A session may be gone before it is asked for, and the daemon may be away: the stream tells both. */
function quietly(): void {}

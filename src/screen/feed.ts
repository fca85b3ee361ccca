// What the screen is told: all sessions as they change, by the daemon's stream, and more of the one that is followed.
import type { Client } from '../client/client.ts';
import { oneAtATime } from '../client/one-at-a-time.ts';
import { screenAfter } from '../client/screen-after.ts';
import { brokenChannels } from '../faces/channels.ts';
import type { Happening, PaneScreen } from './state.ts';

export interface Feed {
  /** The screen, the messages and the events of this session from now on, and of no other. */
  follow(id: string | null): void;
  stop(): void;
}

const shownMessages = 50;
const shownEvents = 100;

export function openFeed(
  client: Client,
  tell: (happening: Happening) => void,
  fail: (error: unknown) => void,
): Feed {
  const all = new AbortController();
  let followed: { readonly id: string; readonly stop: AbortController; hasPane: boolean } | null = null;
  const messages = oneAtATime(async () => {
    const id = followed?.id;
    if (id === undefined) return;
    const answer = await client.ask('GET /sessions/{ref}/messages', {
      ref: id,
      query: { limit: shownMessages },
    });
    tell({ kind: 'detail', id, messages: answer.messages });
  });

  const channels = (broken: readonly string[]) => tell({ kind: 'channels', text: brokenChannels(broken) });

  async function listen(): Promise<void> {
    for await (const item of client.stream({ views: true, signal: all.signal })) {
      if (item.is === 'away') tell({ kind: 'link', up: false });
      if (item.is === 'connected') {
        tell({ kind: 'sessions', sessions: item.sessions ?? [] });
        tell({ kind: 'link', up: true });
        follow(followed?.id ?? null);
        channels(item.broken_channels ?? []);
      }
      if (item.is === 'channels') channels(item.broken);
      if (item.is === 'session') {
        const { session } = item;
        tell(session.ended?.killed ? { kind: 'left', id: session.id } : { kind: 'session', session });
        // One that was restored has a pane again.
        const hasPane = session.tmux_session !== null && session.ended === null;
        if (session.id === followed?.id && !followed.hasPane && hasPane) follow(session.id);
      }
      if (item.is === 'event') {
        tell({ kind: 'event', event: item.event });
        if (item.event.session_id === followed?.id && 'message' in item.event) messages();
      }
    }
  }

  function follow(id: string | null): void {
    followed?.stop.abort();
    followed = id === null ? null : { id, stop: new AbortController(), hasPane: false };
    if (!followed) return;
    void pane(followed).catch(quietly);
    messages();
    void events(followed.id).catch(quietly);
  }

  async function pane(of: NonNullable<typeof followed>): Promise<void> {
    let shown: PaneScreen | null = null;
    for await (const item of client.screen(of.id, of.stop.signal)) {
      shown = screenAfter(shown, item);
      of.hasPane = shown !== null;
      tell({ kind: 'pane', id: of.id, pane: shown });
    }
    of.hasPane = false;
  }

  async function events(id: string): Promise<void> {
    const query = { session: id, last: true, limit: shownEvents };
    const answer = await client.ask('GET /events', { query });
    tell({ kind: 'detail', id, events: answer.events });
  }

  listen().catch((error: unknown) => {
    if (!all.signal.aborted) fail(error);
  });
  return {
    follow,
    stop() {
      all.abort();
      followed?.stop.abort();
    },
  };
}

/** A session may be gone before it is asked for, and the daemon may be away: the stream tells both. */
function quietly(): void {}

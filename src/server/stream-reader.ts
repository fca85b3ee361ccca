// One reader of the live stream. It is given the next page when it has taken the one before.
import type { SessionId } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import { beatText, connectedText, type EventText, itemText, sessionText } from './stream-text.ts';

export interface Wanted {
  /** The number of the last event that it has; null: from now on. */
  readonly after: number | null;
  /** Null: of all of them. */
  readonly session: SessionId | null;
  readonly views: boolean;
}

export interface Source {
  /** From here on, nothing happens unheard. */
  ready(): Promise<void>;
  /** The number of the last event that was heard of. */
  last(): number;
  /** The number of the last one that is stored. */
  newest(): Promise<number>;
  /** A page of what follows an event, and the number that it reaches to. */
  after(
    position: number,
    session: SessionId | null,
  ): Promise<{ readonly texts: readonly EventText[]; readonly reaches: number }>;
  /** The channels of notifications that do not work. */
  broken(): readonly string[];
  /** Calls `look` with all sessions, between two ticks of the engine. */
  all<T>(look: (views: readonly { readonly id: SessionId; readonly text: string }[]) => T): Promise<T>;
  /** The same for some: `sessions` says at that moment which. */
  changed(sessions: () => readonly Session[]): Promise<readonly string[]>;
}

export interface Reader {
  /** It will want to see it when it is woken. */
  changed(session: Session): void;
  /** Other channels than before do not work. */
  channels(): void;
  wake(): void;
  beat(): void;
  end(why: 'slow' | 'stopping'): void;
}

export function createReader(
  source: Source,
  { after, session: only, views }: Wanted,
  gone: () => void,
): { reader: Reader; stream: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  /** The number that it has come to; null: it has not begun. */
  let position: number | null = null;
  /** Sessions whose views it does not have; null: it wants none, or has not had the first ones. */
  let changed: Map<SessionId, Session> | null = null;
  /** Whether it has not heard which channels do not work. */
  let channelsAreDue = false;
  let beatIsDue = false;
  /** Whether it has asked for more since the last beat. */
  let asked = true;
  let over = false;
  let wakeUp: (() => void) | null = null;

  const isOurs = (id: SessionId) => only === null || id === only;
  const hasNews = (at: number) =>
    at < source.last() || Boolean(changed?.size) || channelsAreDue || beatIsDue || over;

  async function begin(): Promise<string> {
    await source.ready();
    // Who has heard of more than there is comes from a history that was replaced by an older one.
    position =
      after === null ? source.last() : Math.min(after, Math.max(source.last(), await source.newest()));
    const text = (sessions: readonly string[] | null, broken: readonly string[] | null) =>
      connectedText(position ?? 0, sessions, broken);
    if (!views) return text(null, null);
    return source.all((all) => {
      // In the same moment: what changes from here on is sent.
      changed = new Map();
      const sessions = all.flatMap((each) => (isOurs(each.id) ? [each.text] : []));
      return text(sessions, only === null ? source.broken() : null);
    });
  }

  async function goOn(from: number): Promise<string> {
    while (!hasNews(from)) {
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      wakeUp = null;
    }
    const { texts, reaches } =
      from < source.last() ? await source.after(from, only) : { texts: [], reaches: from };
    position = reaches;
    const told = changed?.size ? await source.changed(takeChanged) : [];
    const channels = channelsAreDue ? itemText({ is: 'channels', broken: [...source.broken()] }) : '';
    channelsAreDue = false;
    const said = texts.map(({ text }) => text).join('') + told.map(sessionText).join('') + channels;
    const alive = said === '' && beatIsDue ? beatText : '';
    beatIsDue = false;
    return said + alive;
  }

  function takeChanged(): Session[] {
    const sessions = [...(changed?.values() ?? [])];
    changed?.clear();
    return sessions;
  }

  function leave(): void {
    over = true;
    wakeUp?.();
    gone();
  }

  const reader: Reader = {
    changed(session) {
      if (isOurs(session.id)) changed?.set(session.id, session);
    },
    channels() {
      if (!changed || only !== null) return;
      channelsAreDue = true;
      wakeUp?.();
    },
    wake: () => wakeUp?.(),
    beat() {
      if (!wakeUp && !asked) return reader.end('slow');
      asked = false;
      beatIsDue = true;
      wakeUp?.();
    },
    end(why) {
      controller.enqueue(encoder.encode(itemText({ is: 'end', why })));
      controller.close();
      leave();
    },
  };

  const stream = new ReadableStream<Uint8Array>({
    start(its) {
      controller = its;
    },
    async pull() {
      asked = true;
      try {
        let text = '';
        while (text === '' && !over) text = await (position === null ? begin() : goOn(position));
        if (!over) controller.enqueue(encoder.encode(text));
      } catch (error) {
        leave();
        throw error;
      }
    },
    cancel: leave,
  });
  return { reader, stream };
}

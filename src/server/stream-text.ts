// Items of the live stream as server-sent events, and the last of them for everybody who keeps up.
import type { SessionId } from '../domain/core/names.ts';
import type { StoredEvent } from '../ports/store.ts';
import type { StreamItem } from '../protocol/stream.ts';
import { eventView } from './view.ts';

/** All together, in characters. */
const mostRecent = 1024 * 1024;

export interface EventText {
  readonly number: number;
  readonly sessionId: SessionId;
  readonly text: string;
}

export function eventText(event: StoredEvent): EventText {
  const { number, sessionId } = event;
  return { number, sessionId, text: itemText({ is: 'event', event: eventView(event) }, number) };
}

/** JSON has no line ends, so that one line of data holds it. */
export function itemText(item: StreamItem, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(item)}\n\n`;
}

/** The same of views that are JSON already. */
export const sessionText = (view: string): string => `data: {"is":"session","session":${view}}\n\n`;

export const connectedText = (
  after: number,
  views: readonly string[] | null,
  broken: readonly string[] | null,
): string =>
  `id: ${after}\ndata: {"is":"connected","after":${after},"sessions":${views && `[${views.join(',')}]`},"broken_channels":${JSON.stringify(broken)}}\n\n`;

/** A comment: that we are still here. */
export const beatText = ':\n\n';

export interface Recent {
  /** The number of the last event. */
  readonly last: number;
  /** All events after one; null: they go back further than what is kept. */
  after(position: number): readonly EventText[] | null;
  add(texts: readonly EventText[]): void;
}

export function createRecent(begin: number): Recent {
  const kept: EventText[] = [];
  let [from, last, length] = [begin, begin, 0];
  return {
    get last() {
      return last;
    },
    after(position) {
      if (position < from) return null;
      const first = kept.findLastIndex(({ number }) => number <= position) + 1;
      return kept.slice(first);
    },
    add(texts) {
      for (const each of texts) {
        kept.push(each);
        length += each.text.length;
        last = each.number;
      }
      while (length > mostRecent) {
        const oldest = kept.shift() as EventText;
        length -= oldest.text.length;
        from = oldest.number;
      }
    },
  };
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
};

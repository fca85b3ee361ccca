// The live stream: what happens, as it happens, for any number of readers, each at its own pace. The store is the buffer:
// whoever is behind gets from there what it has not had, so that no reader takes more memory than a page.
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { BrokenChannels } from '../ports/notifications.ts';
import type { Store } from '../ports/store.ts';
import { createReader, type Reader, type Source, type Wanted } from './stream-reader.ts';
import { createRecent, eventText } from './stream-text.ts';
import type { ViewTexts } from './view-texts.ts';

/** Between two signs of life, in ms. */
export const beat = 15_000;
/** Events that are read at once. */
const page = 100;

export interface Stream {
  open(wanted: Wanted): ReadableStream<Uint8Array>;
  /** Ends all of them, with a last word. */
  close(): void;
}

export interface StreamDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly texts: ViewTexts;
  readonly broken: BrokenChannels;
}

export function createStream({ engine, store, clock, log, texts, broken }: StreamDeps): Stream {
  const readers = new Set<Reader>();
  /** The last events, for all who keep up: read and put into words once. */
  let recent = createRecent(0);
  let listening: { readonly ready: Promise<void>; stop(): void } | null = null;
  let isReading = false;
  let more = false;

  const source: Source = {
    ready: () => listening?.ready ?? Promise.resolve(),
    last: () => recent.last,
    newest,
    async after(position, session) {
      const near = recent.after(position);
      if (near) {
        const texts = near.filter(({ sessionId }) => session === null || sessionId === session);
        return { texts, reaches: recent.last };
      }
      const { last } = recent;
      const events = await store.events({
        after: position,
        limit: page,
        ...(session && { sessionId: session }),
      });
      const reached = events.at(-1)?.number ?? position;
      return {
        texts: events.map(eventText),
        reaches: events.length < page ? Math.max(last, reached) : reached,
      };
    },
    broken: broken.names,
    all: (look) =>
      engine.whenStored(() =>
        look([...engine.all()].map(({ session }) => ({ id: session.id, text: texts.of(session) }))),
      ),
    changed: (sessions) => engine.whenStored(() => sessions().map(texts.of)),
  };

  async function newest(): Promise<number> {
    return (await store.events({ after: 0, limit: 1, last: true })).at(-1)?.number ?? 0;
  }

  function listen(): void {
    const off = engine.onCommit((session, events) => {
      for (const reader of readers) reader.changed(session);
      if (events.length > 0) readOn();
      else wakeAll();
    });
    const offBroken = broken.onChange(() => {
      for (const reader of readers) reader.channels();
    });
    let timer = clock.timer(beat, tick);
    function tick(): void {
      timer = clock.timer(beat, tick);
      for (const reader of readers) reader.beat();
    }
    const ready = newest().then((last) => {
      recent = createRecent(last);
      readOn();
    });
    listening = {
      ready,
      stop() {
        off();
        offBroken();
        timer.cancel();
        listening = null;
      },
    };
  }

  /** Reads what was stored since the last time, once for all readers. */
  function readOn(): void {
    more = true;
    if (!isReading) void readAll();
  }

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      await source.ready();
      while (more) {
        more = false;
        const into = recent;
        const events = await store.events({ after: into.last, limit: page });
        // Meanwhile the last reader left and another came: start again from its list.
        if (into !== recent) {
          more = true;
          continue;
        }
        more ||= events.length === page;
        into.add(events.map(eventText));
        wakeAll();
      }
    } catch (error) {
      // The next commit tries again.
      log.error({ error: String(error) }, 'cannot read events for the live stream');
    } finally {
      isReading = false;
    }
  }

  function wakeAll(): void {
    for (const reader of readers) reader.wake();
  }

  function leave(reader: Reader): void {
    readers.delete(reader);
    if (readers.size === 0) listening?.stop();
  }

  return {
    open(wanted) {
      const { reader, stream } = createReader(source, wanted, () => leave(reader));
      readers.add(reader);
      if (!listening) listen();
      return stream;
    },
    close() {
      for (const reader of [...readers]) reader.end('stopping');
    },
  };
}

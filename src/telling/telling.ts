// Tells the outside of occasions, beside everything else: no delivery waits for it. It follows the history by its own
// mark, so that nothing is missed and nothing is told twice: who is to be told is stored together with the mark, and that
// a telling begins is stored before it does. Whether one that had begun when the daemon was killed is begun again is the
// channel's word.
import type { NewEvent } from '../domain/core/event.ts';
import { occasionEvents, occasionOf } from '../domain/core/occasion.ts';
import { type CrashPoints, noCrash } from '../engine/crash-points.ts';
import { createDueTimes } from '../engine/due-times.ts';
import type { Engine } from '../engine/engine.ts';
import type { Channel } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store, StoredEvent } from '../ports/store.ts';
import type { Telling, ToldState } from '../ports/telling.ts';

/** That wait, of one channel: whoever is so far behind would only hear what is long over. */
const mostWaiting = 100;
const page = 100;

export interface TellingDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly channels: readonly Channel[];
  /** Called when a telling is owed, and when one has begun: tests kill the daemon there. */
  readonly crash?: CrashPoints;
}

export interface TellingService {
  start(): Promise<void>;
  /** Ends what runs. What waits stays owed. */
  stop(): Promise<void>;
}

interface Line {
  readonly channel: Channel;
  readonly waiting: Telling[];
  /** Those whose time has not come. */
  readonly later: Map<string, Telling>;
  readonly running: Set<Promise<void>>;
}

export function createTelling(deps: TellingDeps): TellingService {
  const { store, engine, clock, log, channels, crash = noCrash } = deps;
  const lines = channels.map(
    (channel): Line => ({ channel, waiting: [], later: new Map(), running: new Set() }),
  );
  const stopping = new AbortController();
  /** The last event that was looked at. */
  let position = 0;
  let reading: Promise<void> | null = null;
  let more = false;
  const dueTimes = createDueTimes(clock, (id) => {
    for (const line of lines) {
      const telling = line.later.get(id);
      if (!telling) continue;
      line.later.delete(id);
      line.waiting.push(telling);
      pump(line);
    }
  });

  /** It waits, for its turn or for its time. */
  function wait(line: Line, telling: Telling): void {
    const due = telling.state.is === 'owed' ? telling.state.due : undefined;
    if (due === undefined || due <= clock.now()) line.waiting.push(telling);
    else {
      line.later.set(telling.id, telling);
      dueTimes.set(telling.id, due);
    }
  }

  function heard(_: unknown, events: readonly NewEvent[]): void {
    if (events.some(({ body }) => occasionOf(body) !== null)) readOn();
  }

  function readOn(): void {
    more = true;
    reading ??= readAll()
      .catch((error: unknown) => log.error({ error: String(error) }, 'cannot find out whom to tell'))
      .finally(() => {
        reading = null;
      });
  }

  async function readAll(): Promise<void> {
    while (more && !stopping.signal.aborted) {
      more = false;
      const events = await store.eventsNamed({ after: position, names: occasionEvents, limit: page });
      const last = events.at(-1);
      if (!last) return;
      more = events.length === page;
      const tellings = (await Promise.all(events.map(tellingsOf))).flat();
      const owed = withinBounds(tellings);
      await store.tellings.owe(last.number, owed);
      position = last.number;
      for (const telling of owed) {
        crash(`telling:owed@${telling.sessionId}`);
        const line = lineOf(telling);
        if (line && telling.state.is === 'owed') wait(line, telling);
        else log.warn(about(telling), 'too many wait to be told; this one is left out');
      }
      for (const line of lines) pump(line);
    }
  }

  async function tellingsOf(event: StoredEvent): Promise<Telling[]> {
    const occasion = occasionOf(event.body);
    if (occasion === null) return [];
    const { number, sessionId, at } = event;
    const all = lines.map(async ({ channel }) =>
      (await channel.recipients(occasion, event)).map(
        ({ to, due }): Telling => ({
          id: `${number}.${channel.name}.${to}`,
          event: number,
          sessionId,
          occasion,
          channel: channel.name,
          to,
          at,
          state: { is: 'owed', ...(due !== undefined && { due }) },
        }),
      ),
    );
    return (await Promise.all(all)).flat();
  }

  function withinBounds(tellings: readonly Telling[]): Telling[] {
    const waiting = new Map(
      lines.map(({ channel, waiting, later }) => [channel.name, waiting.length + later.size]),
    );
    return tellings.map((telling) => {
      const before = waiting.get(telling.channel) ?? 0;
      waiting.set(telling.channel, before + 1);
      if (before < mostWaiting) return telling;
      return { ...telling, state: { is: 'dropped', at: clock.now(), why: `${mostWaiting} others waited` } };
    });
  }

  const lineOf = (telling: Telling) => lines.find(({ channel }) => channel.name === telling.channel);

  function pump(line: Line): void {
    while (!stopping.signal.aborted && line.running.size < line.channel.atOnce) {
      const telling = line.waiting.shift();
      if (!telling) return;
      const run = tell(line, telling)
        // It stays as it is stored, and is taken up at the next start.
        .catch((error: unknown) => log.error({ ...about(telling), error: String(error) }, 'cannot tell'))
        .then(() => {
          line.running.delete(run);
          pump(line);
        });
      line.running.add(run);
    }
  }

  async function tell(line: Line, telling: Telling): Promise<void> {
    const [event] = await store.events({ after: telling.event - 1, limit: 1 });
    if (event?.number !== telling.event)
      return end(telling, { is: 'dropped', at: clock.now(), why: 'it is forgotten' });
    const { tries = 0 } = telling.state.is === 'owed' ? telling.state : {};
    const begun = { is: 'begun', at: clock.now(), ...(tries > 0 && { tries }) } as const;
    await store.tellings.put({ ...telling, state: { ...begun, process: null } });
    crash(`telling:begun@${telling.sessionId}`);
    const outcome = await line.channel.tell(telling, event, {
      signal: stopping.signal,
      begun: (process) => store.tellings.put({ ...telling, state: { ...begun, process } }),
    });
    if (outcome.is !== 'later') return end(telling, { ...outcome, at: clock.now() } as ToldState);
    const { is: _, ...rest } = outcome;
    const put: Telling = { ...telling, state: { is: 'owed', ...rest } };
    await store.tellings.put(put);
    wait(line, put);
  }

  async function end(telling: Telling, state: ToldState): Promise<void> {
    if (state.is !== 'done' && state.is !== 'suppressed')
      log.warn({ ...about(telling), why: state.why }, 'could not tell');
    await store.tellings.put({ ...telling, state });
    lineOf(telling)?.channel.told?.();
  }

  /** What had begun when the daemon died may have been told, or may not. */
  async function recover(telling: Telling): Promise<void> {
    const line = lineOf(telling);
    const { state } = telling;
    const at = clock.now();
    if (!line && state.is === 'owed')
      return end(telling, { is: 'dropped', at, why: 'nobody is to be told any more' });
    if (state.is === 'begun' && state.process) await line?.channel.endOrphan?.(state.process);
    if (state.is === 'begun' && !line?.channel.again)
      return end(telling, { is: 'unknown', at, why: 'the daemon ended while it ran' });
    const { tries } = state as { tries?: number };
    if (line)
      wait(line, {
        ...telling,
        state: state.is === 'owed' ? state : { is: 'owed', ...(tries !== undefined && { tries }) },
      });
  }

  return {
    async start() {
      for (const telling of await store.tellings.open()) await recover(telling);
      // Who is told only from now on hears nothing of what was before.
      const newest = (await store.events({ after: 0, limit: 1, last: true })).at(-1)?.number ?? 0;
      position = (channels.length > 0 ? await store.tellings.mark() : null) ?? newest;
      await store.tellings.owe(channels.length > 0 ? position : null, []);
      if (channels.length === 0) return;
      engine.onCommit(heard);
      readOn();
      for (const line of lines) pump(line);
    },
    async stop() {
      stopping.abort();
      dueTimes.stop();
      await reading;
      await Promise.all(lines.flatMap(({ running }) => [...running]));
    },
  };
}

const about = ({ event, sessionId, occasion, channel, to }: Telling) => ({
  event,
  session: sessionId,
  occasion,
  channel,
  to,
});

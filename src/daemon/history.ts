// Forgets what ended longer ago than anybody wants to know: first what the store has of it, then the files that only
// that named. Once a day, in the background, a little at a time.
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

const day = 24 * 3_600_000;
/** After the start, which has better things to do. In ms. */
const firstAfter = 5_000;
/** Between two steps, so that others get their turn. In ms. */
const pause = 10;

export interface HistoryDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepDays: number;
  /** Removes files that belong to nothing that is known, and are older than this. */
  readonly forgetFiles: (before: number, between: () => Promise<void>) => Promise<void>;
  /** Takes what the store has forgotten out of the search. */
  readonly forgetWords: () => void;
}

export interface History {
  /** Ends what is under way, at its next step. */
  stop(): Promise<void>;
}

class Stopped extends Error {}

export function forgetHistory({
  store,
  engine,
  clock,
  log,
  keepDays,
  forgetFiles,
  forgetWords,
}: HistoryDeps): History {
  let running: Promise<void> = Promise.resolve();
  let stopPause = () => {};
  let stopped = false;
  let next = clock.timer(firstAfter, pass);

  function pass(): void {
    next = clock.timer(day, pass);
    running = running.then(forget).catch((error: unknown) => {
      if (!(error instanceof Stopped)) log.warn({ error: String(error) }, 'some old data was not removed');
    });
  }

  async function forget(): Promise<void> {
    const ended = clock.now() - keepDays * day;
    await store.forget({ ended, facts: Math.min(ended, oldestTurn(engine)) }, between);
    forgetWords();
    await forgetFiles(ended, between);
  }

  function between(): Promise<void> {
    return new Promise((resolve, reject) => {
      stopPause = () => reject(new Stopped());
      if (stopped) stopPause();
      else clock.timer(pause, resolve);
    });
  }

  return {
    async stop() {
      stopped = true;
      next.cancel();
      stopPause();
      await running;
    },
  };
}

/** What is told of a turn that runs is read again from its beginning after a restart: until it is over, it is to be known. */
function oldestTurn(engine: Engine): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { session } of engine.all()) oldest = Math.min(oldest, session.turn?.beganAt ?? oldest);
  return oldest;
}

// Reads what is written to the bot, as the only one who does. Telegram gives an update again until a later one is asked
// for, so that none is lost when we die; whoever handles one must bear to see it twice.
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { faultOf, isConflict } from './faults.ts';

/** Telegram answers an empty list after so many seconds. */
const longPoll = 50;
const pauseAfterFault = 5_000;
/** Whoever else polls should have his chance to notice. */
const pauseAfterConflict = 30_000;

export interface PollerDeps {
  readonly api: Api;
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  handle(update: Update): Promise<void>;
  /** What `problem` says has changed. */
  changed(): void;
}

export interface Poller {
  /** Why nothing can be read; null: it can. */
  problem(): string | null;
  stop(): Promise<void>;
}

export function startPoller({ api, token, clock, log, handle, changed }: PollerDeps): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  let problem: string | null = null;

  async function poll(): Promise<void> {
    for (let offset = 0; !signal.aborted; ) {
      try {
        // The library has a type of its own for signals.
        const stop = signal as unknown as Parameters<Api['getUpdates']>[1];
        const allowed_updates = ['message', 'callback_query'] as const;
        const updates = await api.getUpdates({ offset, timeout: longPoll, allowed_updates }, stop);
        if (problem !== null) {
          log.info({}, 'Telegram can be read again');
          problem = null;
          changed();
        }
        for (const update of updates) {
          if (signal.aborted) return;
          await handle(update).catch((error: unknown) => {
            log.error({ error: faultOf(error, token).why }, 'cannot handle what came from Telegram');
          });
          offset = update.update_id + 1;
        }
      } catch (error) {
        if (signal.aborted) return;
        const { why, afterMs = isConflict(error) ? pauseAfterConflict : pauseAfterFault } = faultOf(
          error,
          token,
        );
        const said = isConflict(error) ? `another program reads this bot, and only one can (${why})` : why;
        if (problem !== said) {
          log.warn({ why: said }, 'cannot read Telegram');
          problem = said;
          changed();
        }
        await pause(afterMs);
      }
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = clock.timer(ms, resolve);
      signal.addEventListener('abort', () => {
        timer.cancel();
        resolve();
      });
    });

  const polling = poll();
  return {
    problem: () => problem,
    stop() {
      stopping.abort();
      return polling;
    },
  };
}

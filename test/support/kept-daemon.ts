// A daemon that somebody kills, and that is started again each time.
import type { Answer, TestDaemon } from './daemon.ts';

export interface KeptDaemon {
  /** Null: it died over it, and nobody knows whether it was done. What only asks is asked again. */
  call<T>(method: string, path: string, body?: object): Promise<Answer<T> | null>;
  /** Throws what has another reason than a death; else waits until it runs again. */
  untilBack(error: unknown): Promise<void>;
  readonly deaths: number;
  /** From now on a death is its end. */
  letGo(): Promise<void>;
}

const away = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

export function keepAlive(daemon: TestDaemon): KeptDaemon {
  let isKept = true;
  let deaths = 0;
  let back = Promise.resolve();
  void (async () => {
    for (;;) {
      await daemon.death();
      if (!isKept) return;
      deaths += 1;
      back = daemon.start();
      await back;
    }
  })();

  async function untilBack(error: unknown): Promise<void> {
    if (!away.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Its end may be heard of here before it is there.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await back;
  }

  return {
    async call<T>(method: string, path: string, body?: object) {
      for (;;) {
        try {
          return await daemon.call<T>(method, path, body);
        } catch (error) {
          await untilBack(error);
          if (method !== 'GET') return null;
        }
      }
    },
    untilBack,
    get deaths() {
      return deaths;
    },
    async letGo() {
      isKept = false;
      await back;
    },
  };
}

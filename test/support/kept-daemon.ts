// A daemon that somebody kills, and that is started again each time.
import type { Answer, TestDaemon } from './daemon.ts';

export interface KeptDaemon {
  /** Null: it died over it, and nobody knows whether it was done. What only asks is asked again. */
  call<T>(method: string, path: string, body?: object): Promise<Answer<T> | null>;
  /** Throws what has another reason than a death; else waits until it runs again. */
  untilBack(error: unknown): Promise<void>;
  readonly deaths: number;
  /** What it said when it did not come up. */
  readonly failedStarts: readonly string[];
  /** From now on a death is its end. */
  letGo(): Promise<void>;
}

const away = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

/** Only for what never happens. */
const patienceMs = 120_000;

/** `isPatient`: it may not come up at once either, with a disk that is full, and is started until it does. */
export function keepAlive(daemon: TestDaemon, { isPatient = false } = {}): KeptDaemon {
  const start = async () => {
    for (const deadline = performance.now() + patienceMs; ; ) {
      try {
        return await daemon.start();
      } catch (error) {
        if (!isPatient || performance.now() > deadline) throw error;
        const why = String((error as Error).message);
        if (why.includes('already running')) await endOther();
        else failedStarts.push(why);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  const failedStarts: string[] = [];
  /** A command was faster and has started one, which is not ours to watch over: it dies, too. */
  const endOther = async () => {
    const other = await daemon.call<{ pid: number }>('GET', '/health').catch(() => null);
    if (other) process.kill(other.body.pid, 'SIGKILL');
  };
  let isKept = true;
  let deaths = 0;
  let back = Promise.resolve();
  void (async () => {
    for (;;) {
      await daemon.death();
      if (!isKept) return;
      deaths += 1;
      back = start();
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
    failedStarts,
    get deaths() {
      return deaths;
    },
    async letGo() {
      isKept = false;
      await back;
    },
  };
}

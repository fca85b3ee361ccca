// The search as the daemon has it: the index in a thread of its own, which begins when it is needed first.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../ports/clock.ts';
import type { Found, Search } from '../ports/search.ts';
import { StoreError } from '../ports/store.ts';
import type { IndexPaths } from './index.ts';
import type { ToWorker } from './worker.ts';

interface Waiting {
  resolve(found: Found): void;
  reject(error: Error): void;
}

/** What is new is gathered for so long, so that a busy team is not slowed by its own index. Whoever searches finds all of it. */
const gathering = 1_000;

/** `program` runs `worker.ts`. */
export function searchBeside(program: string, paths: IndexPaths, clock: Clock): Search {
  let worker: Worker | null = null;
  let closed = false;
  /** It came to an end by itself: it is started again when somebody wants to know something. */
  let failing = false;
  let asked = 0;
  let gathers: ReturnType<Clock['timer']> | null = null;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const begun = new Worker(program, { workerData: paths });
    let why = 'it has ended';
    begun.on('message', (told: { id: number } & ({ found: Found } | { fault: string })) => {
      const one = waiting.get(told.id);
      waiting.delete(told.id);
      if ('found' in told) one?.resolve(told.found);
      else one?.reject(failed(told.fault));
    });
    begun.on('error', (error) => {
      why = String((error as Error).message);
    });
    begun.on('exit', () => {
      worker = null;
      failing = true;
      for (const one of waiting.values()) one.reject(failed(why));
      waiting.clear();
    });
    return begun;
  }

  function tell(message: ToWorker): void {
    if (closed) return;
    worker ??= start();
    worker.postMessage(message);
  }

  return {
    find: (query) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(failed('the daemon is stopping'));
        const id = ++asked;
        failing = false;
        waiting.set(id, { resolve, reject });
        tell({ is: 'find', id, query });
      }),
    grow() {
      if (failing || closed) return;
      gathers ??= clock.timer(gathering, () => {
        gathers = null;
        if (!failing) tell({ is: 'grow' });
      });
    },
    prune: () => void (failing || tell({ is: 'prune' })),
    async close() {
      closed = true;
      gathers?.cancel();
      const last = worker;
      if (!last) return;
      const over = new Promise<void>((resolve) => void last.once('exit', () => resolve()));
      last.postMessage({ is: 'close' } satisfies ToWorker);
      await over;
    },
  };
}

const failed = (why: string): StoreError => new StoreError('failed', `Nothing was searched: ${why}.`);

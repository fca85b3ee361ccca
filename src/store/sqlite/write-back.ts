// Writes the log of a database back to it, in a thread of its own: the disk may take its time, and nobody waits.
import { Worker } from 'node:worker_threads';

export interface WriteBack {
  /** Resolves when all that was in the log is in the database; false: it could not be done here. */
  run(): Promise<boolean>;
  close(): void;
}

export function writeBackBeside(program: string, database: string): WriteBack {
  const worker = new Worker(program, { workerData: database });
  let ended = false;
  let settle = (_done: boolean) => {};
  worker.on('message', () => settle(true));
  // Also of one that could not begin: an error is followed by the exit.
  worker.on('error', () => {});
  worker.on('exit', () => {
    ended = true;
    settle(false);
  });
  return {
    run() {
      if (ended) return Promise.resolve(false);
      worker.postMessage('write back');
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    close: () => worker.postMessage('close'),
  };
}

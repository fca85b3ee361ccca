// The thread of `write-back.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

const db = new DatabaseSync(workerData as string);
parentPort?.on('message', (what) => {
  if (what === 'close') {
    db.close();
    parentPort?.close();
    return;
  }
  // Waits for nobody, neither readers nor writers.
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort?.postMessage('done');
});

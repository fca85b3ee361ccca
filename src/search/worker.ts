// The thread of `search.ts`: whoever searches waits for it, and nobody else does.
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchQuery } from '../ports/search.ts';
import { type IndexPaths, openSearchIndex } from './index.ts';
import { discard } from './index-file.ts';

export type ToWorker =
  | { readonly is: 'find'; readonly id: number; readonly query: SearchQuery }
  | { readonly is: 'grow' | 'prune' | 'close' };

/** Between two steps, for everybody else on the machine; whoever has asked is heard then. */
const pause = 5;
/** SQLite's own numbers for what is damaged. */
const corruption = [11, 26];

const paths = workerData as IndexPaths;
let index = openSearchIndex(paths);
let growing = false;
/** From where on. */
let pruning: number | null = null;
let isDue = false;

function work(): void {
  isDue = false;
  try {
    if (growing) growing = index.step();
    else if (pruning !== null) pruning = index.prune(pruning);
  } catch (error) {
    // With the next that happens it is tried again.
    growing = mended(error);
    pruning = null;
  }
  goOn();
}

function goOn(): void {
  if (isDue || (!growing && pruning === null)) return;
  isDue = true;
  setTimeout(work, pause);
}

/** What is damaged is made again from the history. */
function mended(error: unknown): boolean {
  if (!corruption.includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)) return false;
  index.close();
  discard(paths.index);
  index = openSearchIndex(paths);
  return true;
}

function answer(id: number, query: SearchQuery): void {
  try {
    parentPort?.postMessage({ id, found: index.find(query) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: (error as Error).message });
    growing = mended(error) || growing;
  }
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.is === 'close') {
    index.close();
    process.exit(0);
  }
  if (message.is === 'find') answer(message.id, message.query);
  if (message.is === 'grow') growing = true;
  if (message.is === 'prune') pruning = 0;
  goOn();
});

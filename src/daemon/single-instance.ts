// One daemon per state directory: an exclusive transaction, held for life on a database of its own. The system lets
// go of it with the process, however that ends, so there is never a stale lock.
import { chmodSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

export interface InstanceLock {
  release(): void;
}

/** Null when another daemon holds it. */
export function acquireInstanceLock(file: string): InstanceLock | null {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    chmodSync(file, 0o600);
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    throw error;
  }
}

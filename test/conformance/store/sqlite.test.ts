import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { storeConformance } from './suite.ts';

storeConformance('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-store-'));
  return {
    open: () => openSqliteStore(join(folder, 'sm.db')),
    destroy: () => rmSync(folder, { recursive: true }),
  };
});

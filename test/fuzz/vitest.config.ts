import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Hostile input for everything that reads: `npm run test:fuzz`. FUZZ_INPUTS and FUZZ_SEED say how much, and which.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/fuzz/**/*.test.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});

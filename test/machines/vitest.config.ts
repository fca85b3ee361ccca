import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The parts of the other suites that run on other machines, and what is tried only there: `npm run test:machines`.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['src/**/*.test.ts', 'test/{hooks,conformance,e2e,machines}/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});

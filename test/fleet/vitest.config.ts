import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Several daemons on one real NATS server: `npm run test:fleet`. Needs `nats-server`.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/fleet/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The long ones: `npm run test:faults`.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});

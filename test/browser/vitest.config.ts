import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: 'test/browser',
    include: ['**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});

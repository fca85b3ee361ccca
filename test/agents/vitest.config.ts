import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Each test runs a program of some 250 MB; more at once would only make each of them late.
    maxWorkers: 2,
  },
});

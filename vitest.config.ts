import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/agents/**', 'test/browser/**', 'test/faults/**', 'node_modules/**'],
    // Generous: random histories and real terminals share two cores with each other.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Most of them wait for agents, so that two at once take hardly longer than one.
    maxWorkers: 2,
  },
});

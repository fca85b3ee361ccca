import { defineConfig } from 'vitest/config';

/**
 * Folders whose tests share a process, so that each module is loaded once and not for every file: half of their time. They
 * replace no modules and change nothing of the process. One that does is called `.alone.test.ts`.
 */
const shared = ['domain', 'faces', 'providers', 'screen', 'server', 'cli/text', 'cli/completion'].map(
  (folder) => `src/${folder}/**/!(*.alone).test.ts`,
);
const rest = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const elsewhere = ['agents', 'browser', 'faults', 'fleet', 'fuzz', 'machines', 'month'].map(
  (folder) => `test/${folder}/**`,
);
const long = ['test/torture/torture.test.ts'];

export default defineConfig({
  test: {
    // Generous: random histories and real terminals share two cores with each other.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Most of them wait for agents, so that two at once take hardly longer than one.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      {
        extends: true,
        test: { name: 'real', include: rest, exclude: [...elsewhere, ...long, ...shared, 'node_modules/**'] },
      },
    ],
  },
});

// The tests that must notice a change of the domain or the engine. The two that play random histories for half a minute
// are left out: each mutant that lives would cost a minute.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/domain/**/!(*.alone).test.ts', 'src/engine/**/*.test.ts', 'test/regression/**/*.test.ts'],
    exclude: ['src/engine/histories.test.ts', 'src/engine/exactly-once.test.ts'],
    testTimeout: 60_000,
    isolate: false,
    pool: 'threads',
  },
});

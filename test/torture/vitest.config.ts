import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// `npm run torture -- --minutes 30 --agents 20 --seed 7`
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: { include: ['test/torture/torture.test.ts'], testTimeout: 0, hookTimeout: 120_000, pool: 'forks' },
});

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// A virtual month: `npm run test:month`.
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: { include: ['test/month/**/*.test.ts'], hookTimeout: 60_000, pool: 'forks' },
});

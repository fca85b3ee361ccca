// Many random histories of worktrees, one after another.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { crashing } from './worktree-crash.ts';
import { playHistory, seeded } from './worktree-history.ts';

/** Each is known by its number: to play one again, ask for one from that number. */
export async function checkHistories(count: number, first: number, steps = 16): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'sm-histories-'));
  const all = { removed: 0, kept: 0, restored: 0, killed: 0 };
  try {
    const crash = await crashing(root);
    for (let seed = first; seed < first + count; seed += 1) {
      const folder = join(root, String(seed));
      mkdirSync(folder);
      const tally = await playHistory(folder, seeded(seed), steps, crash).catch((error: Error) => {
        throw new Error(`history ${seed}: ${error.message}`, { cause: error });
      });
      for (const key of ['removed', 'kept', 'restored', 'killed'] as const) all[key] += tally[key];
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  console.info(`${count} histories of worktrees: ${JSON.stringify(all)}`);
  // They are worth something only if all of it happens.
  expect(Math.min(...Object.values(all))).toBeGreaterThan(0);
}

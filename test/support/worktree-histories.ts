// Many random histories of worktrees, a few at a time with one daemon.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeRepository } from './repository.ts';
import { playHistory, seeded, type Tally, tallied } from './worktree-history.ts';
import { openStage } from './worktree-stage.ts';

const atOnce = 4;

/** Each is known by its number: to play one again, ask for one from that number. Deaths come as time goes, and may differ. */
export async function checkHistories(count: number, first: number, steps = 16): Promise<void> {
  const stage = await openStage();
  const all: Tally = { removed: 0, kept: 0, restored: 0, finished: 0, stopped: 0, locked: 0 };
  const template = join(stage.root, 'template');
  mkdirSync(template);
  const repo = makeRepository(join(template, 'repo'));
  repo.commit('ignore', {
    '.gitignore': '*.log\n/cache/\n',
    '.gitattributes': '*.log text=auto\ncache/** text=auto\n',
  });
  makeRepository(join(template, 'library'));
  let deaths = stage.deaths();
  let next = first;
  const play = async () => {
    while (next < first + count) {
      const seed = next++;
      const folder = join(stage.root, String(seed));
      const tally = await playHistory(stage, folder, template, seeded(seed), steps).catch((error: Error) => {
        next = Number.POSITIVE_INFINITY;
        throw new Error(`history ${seed}: ${error.message}`, { cause: error });
      });
      for (const key of tallied) all[key] += tally[key];
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    const played = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, play));
    for (const each of played) if (each.status === 'rejected') throw each.reason;
  } finally {
    deaths = stage.deaths();
    console.info(`${count} histories: ${JSON.stringify(all)}, deaths ${JSON.stringify(deaths)}`);
    await stage.close();
  }
  // They are worth something only if all of it happens.
  const happened = [...Object.values(all), ...Object.values(deaths)];
  if (count >= 50) expect(Math.min(...happened)).toBeGreaterThan(0);
  else expect(Math.min(all.removed, all.restored)).toBeGreaterThan(0);
}

// A folder for a file of tests, and all that its tests stand on: what is kept ends after the last of them, the latest
// first, and then the folder goes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

type Kept = { close(): unknown } | { dispose(): unknown };

export function tidy(name: string) {
  const root = mkdtempSync(join(tmpdir(), `sm-${name}-`));
  const kept: Kept[] = [];
  afterAll(async () => {
    for (const each of kept.reverse()) await ('close' in each ? each.close() : each.dispose());
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);
  return {
    root,
    keep<T extends Kept>(thing: T): T {
      kept.push(thing);
      return thing;
    },
  };
}

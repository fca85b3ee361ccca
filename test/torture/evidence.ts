// What is kept of a run that failed.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Planned } from './plan.ts';
import type { Stage } from './stage.ts';

/** Everything but sockets and bundles, in a folder that nobody cleans up. */
export async function keepEvidence(stage: Stage, plan: readonly Planned[], error: Error): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sm-torture-failed-'));
  await stage.kept.letGo();
  await stage.daemon.stop();
  mkdirSync(join(folder, 'home'));
  const isKept = (path: string) => !/\.sock$|\/filler$/.test(path);
  cpSync(stage.daemon.home, join(folder, 'state'), {
    recursive: true,
    filter: isKept,
    preserveTimestamps: true,
  });
  cpSync(join(dirname(stage.daemon.work), 'home'), join(folder, 'home'), {
    recursive: true,
    preserveTimestamps: true,
  });
  const json = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value, null, 1));
  json('plan.json', plan);
  json('asked.json', stage.asked);
  json('tally.json', Object.fromEntries(stage.tally));
  writeFileSync(join(folder, 'error.txt'), String(error.stack));
  return folder;
}

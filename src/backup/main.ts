// Both commands, as programs: what they have to say, and an exit code.
import { constants, setPriority } from 'node:os';
import type { Paths } from '../daemon/paths.ts';
import { makeBackup } from './backup.ts';
import { BackupError } from './file.ts';
import { restoreBackup } from './restore.ts';

export const runBackup = (paths: Paths, file: string, version: string): Promise<number> =>
  run(async () => {
    // The daemon and the agents come first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    return [await makeBackup(paths, file, { made_at: new Date().toISOString(), version })];
  });

export const runRestore = (paths: Paths, file: string, stop: boolean): Promise<number> =>
  run(() => restoreBackup(paths, file, { stop, now: new Date() }));

async function run(work: () => Promise<readonly string[]>): Promise<number> {
  try {
    for (const line of await work()) console.log(line);
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    console.error(`Error: ${error.message}`);
    return 1;
  }
}

// What hooks/launch.sh writes down about each pane, read back: the agent's process and how it ended.
// A record is named by the pane and the pid that tmux knows, so one of an earlier life is never taken for it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

export interface RunRecord {
  pid: number;
  startedAt: string | null;
}

export interface Records {
  /** The path that a pane's records start with. */
  prefix(name: string): string;
  run(name: string, panePid: number): RunRecord | null;
  exitCode(name: string, panePid: number): number | null;
  /** Deletes what panes of that name have recorded, except for the one with this pid. */
  forgetOthers(name: string, panePid: number): void;
  /** Deletes all that belongs to the name. */
  forget(name: string): void;
  close(): void;
}

export function openRecords(directory: string, changed: () => void, log: Log): Records {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const watching = watchDirectory(directory, changed, log);
  // A record never changes once it is there, and `panes()` asks for all of them each time.
  const known = new Map<string, string>();

  function read(file: string): string | null {
    const before = known.get(file);
    if (before !== undefined) return before;
    const text = readIfThere(join(directory, file));
    if (text !== null) known.set(file, text);
    return text;
  }

  function remove(which: (file: string) => boolean): void {
    for (const file of readdirSync(directory).filter(which)) {
      known.delete(file);
      rmSync(join(directory, file), { force: true });
    }
  }

  return {
    prefix: (name) => join(directory, name),
    run(name, panePid) {
      const found = /^(\d+) *(.*)$/.exec(read(`${name}.${panePid}.run`) ?? '');
      return found && { pid: Number(found[1]), startedAt: found[2] || null };
    },
    exitCode(name, panePid) {
      const text = read(`${name}.${panePid}.exit`);
      return text === null ? null : Number(text);
    },
    // Only finished records: another launch may just be reading its start file.
    forgetOthers: (name, panePid) =>
      remove((file) => {
        const [owner, pid, kind] = file.split('.');
        return owner === name && pid !== String(panePid) && (kind === 'run' || kind === 'exit');
      }),
    forget: (name) => remove((file) => file.startsWith(`${name}.`)),
    close: () => watching?.close(),
  };
}

function readIfThere(path: string): string | null {
  // Most are not there, for most agents live: an exception for each would cost more than all the rest.
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Only an accelerator: where the system has no watch to spare, tmux still tells when a pane dies. */
function watchDirectory(directory: string, changed: () => void, log: Log) {
  try {
    return watch(directory, (_event, file) => {
      if (file === null || /\.(run|exit)$/.test(file)) changed();
    }).on('error', (error) => log.warn({ directory, error }, 'the watch on pane records ended'));
  } catch (error) {
    log.warn({ directory, error }, 'cannot watch pane records');
    return null;
  }
}

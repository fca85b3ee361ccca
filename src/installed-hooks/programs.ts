// The programs that installed hooks run. They are copies in the state directory: its path stays the same when the
// package is installed again, in another place, or under another version of Node.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../daemon/paths.ts';

export const hookPrograms = [
  'installed.sh',
  'hook.sh',
  'start.sh',
  'ask.sh',
  'tool.sh',
  'edit.sh',
  'status-line.sh',
  'report.sh',
];

export type ProgramsState = 'current' | 'stale' | 'missing';

export function programsState(paths: Paths): ProgramsState {
  const states = hookPrograms.map((name) => {
    const copy = contentOf(join(paths.installedHooks, name));
    if (copy === null) return 'missing';
    const source = contentOf(join(paths.hooks, name));
    // Of a package that is broken nothing can be said here; the doctor has a check of its own for that.
    return source === null || copy.equals(source) ? 'current' : 'stale';
  });
  if (states.every((state) => state === 'missing')) return 'missing';
  return states.every((state) => state === 'current') ? 'current' : 'stale';
}

export function copyPrograms(paths: Paths): void {
  mkdirSync(paths.installedHooks, { recursive: true, mode: 0o700 });
  for (const name of hookPrograms) {
    const copy = join(paths.installedHooks, name);
    // Agents may be reading the old one at this moment.
    writeFileSync(`${copy}.new`, readFileSync(join(paths.hooks, name)), { mode: 0o600 });
    renameSync(`${copy}.new`, copy);
  }
}

/** After an update of the package, at the next start of the daemon. */
export function refreshPrograms(paths: Paths): void {
  if (programsState(paths) === 'stale') copyPrograms(paths);
}

export function removePrograms(paths: Paths): void {
  for (const name of hookPrograms) rmSync(join(paths.installedHooks, name), { force: true });
}

function contentOf(file: string): Buffer | null {
  return existsSync(file) ? readFileSync(file) : null;
}

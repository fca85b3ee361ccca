// What each settings file was before our hooks came, and what it was right after: so that it can be put back exactly.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Before {
  /** Null: there was no file. */
  readonly before: string | null;
  readonly after: string;
}

export type InstallRecord = ReadonlyMap<string, Before>;

export function readRecord(file: string): InstallRecord {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Before>));
  } catch {
    // Without it, our entries are still found by what they say.
    return new Map();
  }
}

export function writeRecord(file: string, record: InstallRecord): void {
  if (record.size === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(record)), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

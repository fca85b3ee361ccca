// What sm has changed outside of its state directory, so that it can be taken back. An entry is written before its
// change is made: one that was cut off in between is then known, and taking back what is not there does nothing.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const partNames = ['config', 'completion', 'service', 'skill'] as const;
export type PartName = (typeof partNames)[number];

export type Entry = { readonly part: PartName } & (Wrote | Added | Ran);

/** A file of ours. */
export interface Wrote {
  readonly did: 'wrote';
  readonly path: string;
  /** Of each text that we have written there: with another one, somebody has changed it since. */
  readonly hashes: readonly string[];
  /** What was there before, and is put back; null: nothing. */
  readonly copy: string | null;
  /** The folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

/** Lines in a file of the user's. */
export interface Added {
  readonly did: 'added';
  readonly path: string;
  /** Exactly what was added. */
  readonly text: string;
  /** The file was not there before. */
  readonly made: boolean;
  readonly folders: readonly string[];
}

/** A command, and the one that takes it back. */
export interface Ran {
  readonly did: 'ran';
  readonly undo: readonly string[];
}

export interface Ledger {
  /** Of the sm that wrote it last. */
  readonly version: string;
  /** In the order in which they were made. */
  readonly entries: readonly Entry[];
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

export function readLedger(file: string): Ledger {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: '', entries: [] };
    throw new LedgerError(`Cannot read ${file}: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as Ledger;
  } catch {
    throw new LedgerError(
      `${file} is damaged, so sm cannot tell what sm setup has done. Look at it, and remove it.`,
    );
  }
}

export function writeLedger(file: string, ledger: Ledger): void {
  if (ledger.entries.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(ledger, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

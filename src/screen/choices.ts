// What somebody has pinned, folded and snoozed, kept from one time to the next.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Choices, noChoices } from './state.ts';

interface Kept {
  readonly pinned?: unknown;
  readonly folded?: unknown;
  readonly snoozed?: unknown;
  readonly byRepository?: unknown;
}

/** A file that cannot be read is one without choices. */
export function readChoices(file: string): Choices {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return {
      ...noChoices,
      pinned: new Set(strings(kept.pinned)),
      folded: new Set(strings(kept.folded)),
      snoozed: new Map(Object.entries((kept.snoozed ?? {}) as Record<string, never>)),
      byRepository: kept.byRepository === true,
    };
  } catch {
    return noChoices;
  }
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export function writeChoices(file: string, { pinned, folded, snoozed, byRepository }: Choices): void {
  const kept = {
    pinned: [...pinned],
    folded: [...folded],
    snoozed: Object.fromEntries(snoozed),
    byRepository,
  };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

// What setup does to this machine, a step at a time: noted in the ledger first, then done.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSettingsFile, replaceSettings } from '../installed-hooks/settings-file.ts';
import type { Entry, PartName, Wrote } from '../ledger/ledger.ts';
import { type Place, runCommand, shown } from './place.ts';

export type Change =
  /** A file of ours. `copy`: keeps what is there now, which is somebody else's. */
  | { readonly do: 'write'; readonly path: string; readonly text: string; readonly copy?: string }
  /** Lines at the end of a file of the user's. */
  | { readonly do: 'add'; readonly path: string; readonly text: string }
  | { readonly do: 'run'; readonly command: readonly string[]; readonly undo?: readonly string[] }
  /** Only to be done when everything is taken back. */
  | { readonly do: 'undo'; readonly undo: readonly string[] };

export class ChangeError extends Error {
  override readonly name = 'ChangeError';
}

/** Answers what was done, in words. */
export async function apply(place: Place, part: PartName, change: Change): Promise<string | null> {
  switch (change.do) {
    case 'write':
      return write(place, part, change);
    case 'add':
      return add(place, part, change);
    case 'run': {
      if (change.undo) note(place, { part, did: 'ran', undo: change.undo });
      const { code, output } = await runCommand(place, change.command);
      if (code !== 0)
        throw new ChangeError(`${change.command.join(' ')} failed: ${output || `exit code ${code}`}`);
      return `Ran ${change.command.map((word) => shown(place, word)).join(' ')}`;
    }
    case 'undo':
      note(place, { part, did: 'ran', undo: change.undo });
      return null;
  }
}

function write(place: Place, part: PartName, { path, text, copy }: Change & { do: 'write' }): string {
  const before = wroteAt(place, path);
  const folders = [...new Set([...(before?.folders ?? []), ...ownFolders(place, path)])];
  // It is copied once: what comes after it is ours.
  const kept = before?.copy ?? copy ?? null;
  const entry: Entry = {
    part,
    did: 'wrote',
    path,
    hashes: [...(before?.hashes ?? []), hashOf(text)],
    copy: kept,
    folders,
  };
  note(place, entry, before);
  guarded(() => {
    mkdirSync(dirname(path), { recursive: true });
    const file = readSettingsFile(path);
    if (copy !== undefined && file.text !== null && !existsSync(copy))
      replaceSettings({ ...readSettingsFile(copy), mode: file.mode }, file.text);
    replaceSettings(file.text === null ? { ...file, mode: 0o644 } : file, text);
  });
  const saved = copy === undefined ? '' : `; what was there is in ${shown(place, copy)}`;
  return `Wrote ${shown(place, path)}${saved}`;
}

function add(place: Place, part: PartName, { path, text }: Change & { do: 'add' }): string {
  const file = guarded(() => readSettingsFile(path));
  const before = file.text ?? '';
  // So that taking it out again leaves every byte as it was.
  const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${text}`;
  note(place, {
    part,
    did: 'added',
    path,
    text: added,
    made: file.text === null,
    folders: ownFolders(place, path),
  });
  guarded(() => {
    mkdirSync(dirname(path), { recursive: true });
    replaceSettings(file.text === null ? { ...file, mode: 0o644 } : file, before + added);
  });
  return `Added ${lineCount(text)} to ${shown(place, path)}`;
}

/** `2 lines`, without the empty ones around them. */
export function lineCount(text: string): string {
  const count = text.trim().split('\n').length;
  return count === 1 ? '1 line' : `${count} lines`;
}

/** `instead`: the entry whose place it takes. */
function note(place: Place, entry: Entry, instead?: Entry): void {
  const entries = place.entries();
  if (instead) place.keep(entries.map((each) => (isSame(each, instead) ? entry : each)));
  else if (!entries.some((each) => isSame(each, entry))) place.keep([...entries, entry]);
}

const isSame = (a: Entry, b: Entry): boolean => JSON.stringify(a) === JSON.stringify(b);

export const wroteAt = (place: Place, path: string): (Entry & Wrote) | undefined =>
  place.entries().find((entry): entry is Entry & Wrote => entry.did === 'wrote' && entry.path === path);

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What stands at a path: nothing, what we wrote, or what somebody else did. */
export function stateAt(place: Place, path: string): { text: string | null; ours: boolean } {
  if (!existsSync(path)) return { text: null, ours: false };
  const text = guarded(() => readFileSync(path, 'utf8'));
  return { text, ours: wroteAt(place, path)?.hashes.includes(hashOf(text)) ?? false };
}

/**
 * Those above a file that are made for it, or were made for another one: whichever goes last takes them along. The
 * outermost first.
 */
function ownFolders(place: Place, path: string): string[] {
  const made = new Set(place.entries().flatMap((entry) => (entry.did === 'ran' ? [] : entry.folders)));
  const above = (folder: string): string[] =>
    made.has(folder) || !existsSync(folder) ? [...above(dirname(folder)), folder] : [];
  return above(dirname(path));
}

/** A file that cannot be read or written is told, not a crash. */
function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new ChangeError((error as Error).message);
  }
}

// Puts our hooks into the user's own settings, takes them out again, and says what is there.
import { rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../daemon/paths.ts';
import { installedHooks } from '../providers/claude/installed.ts';
import {
  type Entries,
  type EntryState,
  entriesIn,
  type Wanted,
  withEntries,
  withoutEntries,
} from './entries.ts';
import { JsonFault, lineAt } from './json-text.ts';
import { copyPrograms, programsState, removePrograms } from './programs.ts';
import { type InstallRecord, readRecord, writeRecord } from './record.ts';
import {
  checkWritable,
  readSettingsFile,
  replaceSettings,
  SettingsError,
  type SettingsFile,
} from './settings-file.ts';

export interface Installation {
  readonly settings: string;
  readonly state: 'installed' | 'stale' | 'absent';
  readonly hooks: ReadonlyMap<string, EntryState>;
  readonly statusLine: EntryState;
  readonly programs: EntryState;
  /** The user has turned off all hooks himself, so that ours do not run either. */
  readonly disabled: boolean;
}

export interface Place {
  readonly paths: Paths;
  /** The user's settings. */
  readonly settings: string;
  readonly answerWaitSeconds: number;
}

/** What `{}` becomes is what a file that is not there becomes. */
const nothing = '{}\n';

export function examineInstallation(place: Place): Installation {
  const file = readSettingsFile(place.settings);
  const { hooks, statusLine, disabled } = entries(file, wantedOf(place));
  const programs = programsState(place.paths);
  const all = [...hooks.values(), statusLine];
  const state = all.every((each) => each === 'missing')
    ? 'absent'
    : [...all, programs].every((each) => each === 'current')
      ? 'installed'
      : 'stale';
  return { settings: place.settings, state, hooks, statusLine, programs, disabled };
}

/** False: everything was there already. */
export function install(place: Place): boolean {
  if (examineInstallation(place).state === 'installed') return false;
  const { paths } = place;
  const file = readSettingsFile(place.settings);
  const record = readRecord(recordFile(paths));
  const before = guarded(file, () => original(file, record));
  const after = guarded(file, () => withEntries(before ?? nothing, wantedOf(place)));
  checkWritable(file);
  copyPrograms(paths);
  // Written first: if we are cut off between the two, it fits no file, and is no more than a note.
  writeRecord(recordFile(paths), new Map(record).set(file.target, { before, after }));
  try {
    if (after !== file.text) replaceSettings(file, after);
  } catch (error) {
    forget(paths, record);
    throw error;
  }
  return true;
}

/** False: there was nothing of ours. */
export function uninstall(place: Place): boolean {
  const { paths } = place;
  const file = readSettingsFile(place.settings);
  const record = new Map(readRecord(recordFile(paths)));
  const before = guarded(file, () => original(file, record));
  const changes = before !== file.text;
  if (changes) replaceSettings(file, before);
  record.delete(file.target);
  forget(paths, record);
  return changes;
}

/** The programs go with the last settings that run them. */
function forget(paths: Paths, record: InstallRecord): void {
  writeRecord(recordFile(paths), record);
  if (record.size > 0) return;
  removePrograms(paths);
  removeIfEmpty(paths.installedHooks);
}

/** The file without us: as it was, if it is as we left it; else as it is, less our entries. */
function original({ text, target }: SettingsFile, record: InstallRecord): string | null {
  const known = record.get(target);
  if (text === null) return null;
  return known?.after === text ? known.before : withoutEntries(text, known?.before ?? null);
}

function wantedOf({ paths, answerWaitSeconds }: Place): Wanted {
  const directory = paths.installedHooks;
  return { directory, hooks: installedHooks(directory, answerWaitSeconds) };
}

function entries(file: SettingsFile, wanted: Wanted): Entries {
  return guarded(file, () => entriesIn(file.text ?? nothing, wanted));
}

/** A file that is not what it should be is named, with the line. */
function guarded<T>({ path, text }: SettingsFile, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const line = lineAt(text ?? '', error.offset);
    throw new SettingsError(
      `${path}:${line}: ${error.message}. sm did not change the file. Fix it and try again.`,
    );
  }
}

const recordFile = (paths: Paths) => join(paths.installedHooks, 'record.json');

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Not there, or something else is in it.
  }
}

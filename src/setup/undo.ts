// Takes back what the ledger says, the newest first. What somebody has changed since is left alone, and told.
import { existsSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { readSettingsFile, replaceSettings } from '../installed-hooks/settings-file.ts';
import type { Entry, PartName } from '../ledger/ledger.ts';
import { hashOf, lineCount } from './changes.ts';
import { type Place, runCommand, shown } from './place.ts';

/** Tells each step as it is done; answers whether all of it is taken back. */
export async function takeBack(
  place: Place,
  parts: readonly PartName[],
  say: (line: string) => void,
): Promise<boolean> {
  let whole = true;
  for (const entry of place.entries().toReversed()) {
    if (!parts.includes(entry.part)) continue;
    try {
      const said = await undo(place, entry);
      if (said !== null) say(said);
    } catch (error) {
      whole = false;
      say(`Could not take back ${entry.part}: ${(error as Error).message}`);
      continue;
    }
    // One by one: whoever is cut off here goes on with the rest the next time.
    const text = JSON.stringify(entry);
    place.keep(place.entries().filter((each) => JSON.stringify(each) !== text));
  }
  return whole;
}

async function undo(place: Place, entry: Entry): Promise<string | null> {
  switch (entry.did) {
    case 'wrote': {
      const said = unwrite(place, entry);
      removeFolders(entry.folders);
      return said;
    }
    case 'added': {
      const said = takeOut(place, entry);
      removeFolders(entry.folders);
      return said;
    }
    case 'ran': {
      const { code, output } = await runCommand(place, entry.undo);
      const command = entry.undo.map((word) => shown(place, word)).join(' ');
      return code === 0 ? `Ran ${command}` : `${command} failed, and is left at that: ${output}`;
    }
  }
}

function unwrite(place: Place, { path, hashes, copy }: Entry & { did: 'wrote' }): string | null {
  const name = shown(place, path);
  const isOurs = existsSync(path) && hashes.includes(hashOf(readFileSync(path, 'utf8')));
  if (existsSync(path) && !isOurs) return `Kept ${name}: it was changed since`;
  if (copy !== null && existsSync(copy)) {
    replaceSettings(readSettingsFile(path), readFileSync(copy, 'utf8'));
    rmSync(copy);
    return `Put back ${name} as it was`;
  }
  if (!isOurs) return null;
  rmSync(path);
  return `Removed ${name}`;
}

function takeOut(place: Place, { path, text, made }: Entry & { did: 'added' }): string | null {
  const file = readSettingsFile(path);
  if (file.text === null || !file.text.includes(text)) return null;
  const rest = file.text.replace(text, () => '');
  replaceSettings(file, rest === '' && made ? null : rest);
  return `Removed ${lineCount(text)} from ${shown(place, path)}`;
}

/** Those that were made for a file, as far as nothing else is in them by now. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

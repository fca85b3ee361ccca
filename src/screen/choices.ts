// What somebody has pinned, folded and snoozed, kept from one time to the next.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Choices, choicesFrom, choicesText, noChoices } from '../faces/choices.ts';

/** A file that cannot be read is one without choices. */
export function readChoices(file: string): Choices {
  try {
    return choicesFrom(readFileSync(file, 'utf8'));
  } catch {
    return noChoices;
  }
}

export function writeChoices(file: string, choices: Choices): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${choicesText(choices)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

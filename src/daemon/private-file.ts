// Replaces a private file as a whole, or not at all.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';

export function replaceFile(file: string, text: string): void {
  const next = `${file}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  const handle = openSync(next, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(next, file);
}

// A secret of a channel: in a file that only its owner can read, or in a variable of the daemon. It is read when it is
// needed, and is never part of anything that is stored, logged or shown.
import { readFileSync, statSync } from 'node:fs';

export type SecretPlace =
  | { readonly file: string }
  /** Begins with SM_: such variables are taken away from every agent. */
  | { readonly variable: string };

/** Throws a reason for people. */
export function readSecret(place: SecretPlace, env: Readonly<Record<string, string | undefined>>): string {
  const value = 'file' in place ? fromFile(place.file) : fromVariable(place.variable, env);
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error(`${nameOf(place)} must hold one word, and nothing else`);
  return value;
}

const nameOf = (place: SecretPlace): string => ('file' in place ? place.file : place.variable);

function fromVariable(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const value = env[name]?.trim();
  if (!value) throw new Error(`the daemon was started without ${name} in its environment`);
  return value;
}

function fromFile(file: string): string {
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) throw new Error(`others can read ${file}: chmod 600 ${file}`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`${file} is not there`);
    throw new Error(code ? `cannot read ${file}: ${code}` : message);
  }
}

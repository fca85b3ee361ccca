// A path as people write it. Apart from other words, because only a program of this machine knows whose home it is.
import { homedir } from 'node:os';
import { oneLine } from './safe.ts';

let home: string | undefined;

/** `~/project` */
export const directory = (path: string): string => oneLine(fromHome(path));

/** The same, not yet safe. */
export function fromHome(path: string): string {
  home ??= homedir();
  const isThere = path.startsWith(home) && (path.length === home.length || path[home.length] === '/');
  return isThere ? `~${path.slice(home.length)}` : path;
}

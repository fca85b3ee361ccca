// A path as people write it. Apart from other words, because only a program of this machine knows whose home it is.
import { homedir } from 'node:os';
import { oneLine } from './safe.ts';

let home: string | undefined;

/** `~/project` */
export function directory(path: string): string {
  home ??= homedir();
  return oneLine(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

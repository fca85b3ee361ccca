// How many connections may come over TCP: anybody on the machine can open them, and they must leave enough for our own work.
import { readFileSync } from 'node:fs';

const most = 512;

export function mostConnections(): number {
  return Math.min(most, Math.floor(openFiles() / 4));
}

/** How many files and connections this process may have open. */
function openFiles(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    // Not on Linux: what is usual there.
    return 1_024;
  }
}

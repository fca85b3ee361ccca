// The end of a log file, and what is added to it.
import { closeSync, fstatSync, openSync, readSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** How much of the end is looked at: enough for thousands of lines. */
const tailBytes = 4 * 1024 * 1024;

/** Null when there is no such file. `end` is where the last whole line ends. */
export function lastLines(file: string, count: number): { lines: string[]; end: number } | null {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  const { lines, end } = wholeLines(file, Math.max(0, size - tailBytes));
  return { lines: count === 0 ? [] : lines.slice(-count), end };
}

/** Hands on each whole line that is added; goes on with the new file when the log is rotated. */
export function followFile(
  file: string,
  from: number,
  print: (lines: string[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  let at = from;
  let inode = statSync(file).ino;
  return new Promise((resolve, reject) => {
    const watcher = watch(dirname(file), { signal }, (_event, name) => {
      if (name !== basename(file)) return;
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat) return; // between two files
      if (stat.ino !== inode || stat.size < at) at = 0;
      inode = stat.ino;
      const { lines, end } = wholeLines(file, at);
      at = end;
      print(lines);
    });
    watcher.once('error', reject);
    watcher.once('close', resolve);
  });
}

function wholeLines(file: string, from: number): { lines: string[]; end: number } {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
    const length = readSync(descriptor, bytes, 0, bytes.length, from);
    const end = bytes.subarray(0, length).lastIndexOf('\n') + 1;
    const lines = end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n');
    return { lines, end: from + end };
  } finally {
    closeSync(descriptor);
  }
}

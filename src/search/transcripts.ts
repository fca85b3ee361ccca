// The agents' own transcripts, a part for each turn: from where the last one ended to where the file ends now.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { wordsOfLine } from '../providers/transcript-words.ts';

/** What is more comes with the next turn. */
const longestPart = 4 * 1024 * 1024;
const newline = 10;

export interface Part {
  readonly provider: string;
  readonly path: string;
  /** In bytes. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line. */
  readonly line: number;
}

/** Up to where it was read, and the number of the line that comes then. */
export interface Ended {
  readonly offset: number;
  readonly line: number;
}

/** What has come since then; null: nothing, or nobody can read it. */
export function partSince(
  path: string,
  provider: string,
  { offset, line }: Ended,
): { readonly part: Part; readonly ended: Ended } | null {
  const bytes = read(path, offset, longestPart);
  if (!bytes) return null;
  // A line that is longer than all that is read is nothing that anybody has said.
  const length = bytes.lastIndexOf(newline) + 1 || (bytes.length === longestPart ? longestPart : 0);
  if (length === 0) return null;
  let lines = 0;
  for (const byte of bytes.subarray(0, length)) if (byte === newline) lines += 1;
  const end = offset + length;
  return { part: { provider, path, start: offset, end, line }, ended: { offset: end, line: line + lines } };
}

/** The lines of a part in which something can be read. */
export function linesOf({ provider, path, start, end, line }: Part): { line: number; text: string }[] {
  const bytes = read(path, start, end - start);
  const lines = bytes ? bytes.toString('utf8').split('\n') : [];
  return lines.flatMap((each, i) => {
    const text = wordsOfLine(provider, each);
    return text === '' ? [] : [{ line: line + i, text }];
  });
}

function read(path: string, from: number, most: number): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.max(0, Math.min(most, size - from)));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

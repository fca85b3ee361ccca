// How far the output of an agent was read and settled, kept beside it; and the space of what lies before that,
// given back. The process appends to the file at any moment, so that it cannot be cut: a hole is made in it instead.
// The file keeps its length, and every place in it stays what it was.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { promisify } from 'node:util';

/** How much may lie there unneeded, in bytes. */
const worthIt = 1024 * 1024;

export interface Place {
  /** Where to begin. */
  readonly from: number;
  /** Nothing before this is needed any more. One that is too early does no harm. */
  keep(offset: number): Promise<void>;
}

export function placeIn(output: string, file: string): Place {
  let from = 0;
  try {
    from = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // Nothing was read yet.
  }
  let hole = 0;

  return {
    from,
    async keep(offset) {
      const giveBack = offset - hole >= worthIt;
      await write(file, String(offset), giveBack);
      if (!giveBack) return;
      hole = offset;
      await makeHole(output, offset);
    },
  };
}

/** What follows from it must not be there before it is. */
async function write(path: string, text: string, onDisk: boolean): Promise<void> {
  const half = `${path}.new`;
  const file = await open(half, 'w', 0o600);
  try {
    await file.writeFile(text);
    if (onDisk) await file.sync();
  } finally {
    await file.close();
  }
  await rename(half, path);
}

/** Where the system or the disk cannot do it, the file is kept whole. */
async function makeHole(file: string, length: number): Promise<void> {
  const hole = ['--punch-hole', '--offset', '0', '--length', String(length), file];
  await promisify(execFile)('fallocate', hole).catch(() => undefined);
}

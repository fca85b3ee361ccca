// How Qwen Code is told something: as a line at the end of a file that it watches. It takes whole lines only, each once, and
// passes over one that is no JSON. So a line that we died over does no harm, as long as the next one does not go on in
// it; and whether a line went out is known from the file itself, by the name that we give it.
import { constants, type FileHandle, open, readFile } from 'node:fs/promises';
import { record, text } from '../values.ts';
import { parse } from './transcript.ts';

/** `torn`: only a part of it is there, which nobody reads. `gone`: nobody is there. */
export type Said = 'said' | 'before' | 'torn' | 'gone';

export interface Input {
  /** What has been said by this name is not said again. */
  say(name: string, ...lines: readonly object[]): Promise<Said>;
}

export function inputFile(path: string): Input {
  let names: Promise<Set<string>> | null = null;

  async function say(name: string, lines: readonly object[]): Promise<Said> {
    names ??= namesIn(path);
    const known = await names;
    const file = await open(path, constants.O_RDWR | constants.O_APPEND).catch(() => null);
    if (!file) return 'gone';
    try {
      const torn = (await isTorn(file)) ? nameOf(await lastLine(path)) : undefined;
      // Nothing of it was missing but its end.
      if (torn === name) known.add(name);
      if (known.has(name)) {
        // It may also have missed the moment: any change makes it look again.
        await file.write('\n');
        return 'before';
      }
      const named = lines.map((line, at) => (at === lines.length - 1 ? { ...line, sm: name } : line));
      const words = named.map((line) => `${JSON.stringify(line)}\n`).join('');
      const bytes = Buffer.from(torn === undefined ? words : `\n${words}`);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) return 'torn';
      known.add(name);
      return 'said';
    } finally {
      await file.close();
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    say(name, ...lines) {
      const said = last.then(() => say(name, lines)).catch((): Said => 'torn');
      last = said;
      return said;
    },
  };
}

/** Of the lines that are there as a whole. The last one of several stands for all. */
async function namesIn(path: string): Promise<Set<string>> {
  const words = await readFile(path, 'utf8').catch(() => '');
  const lines = words.slice(0, words.lastIndexOf('\n') + 1).split('\n');
  return new Set(lines.flatMap((line) => nameOf(line) ?? []));
}

async function lastLine(path: string): Promise<string> {
  const words = await readFile(path, 'utf8').catch(() => '');
  return words.slice(words.lastIndexOf('\n') + 1);
}

/** Null: it is not whole, or none of ours. */
const nameOf = (line: string): string | null => text(record(parse(line)).sm);

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

// Texts from the command line, checked before anything is sent: as an argument, in a file or on standard input.
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

/** What a message may have; the daemon takes no more either. */
export const mostBytes = 1024 * 1024;

export interface GivenText {
  /** What to call it in an error. */
  readonly what: 'text' | 'prompt';
  /** `-` stands for standard input. */
  readonly text: string | undefined;
  readonly file: string | undefined;
}

/** Undefined when none was given. */
export async function givenText(io: Io, given: GivenText): Promise<string | undefined> {
  const { what, text } = given;
  if (given.file !== undefined && text !== undefined)
    throw new Failure(`Give either the ${what} or --file, not both.`);
  const file = given.file === undefined ? undefined : resolve(io.cwd, given.file);
  const bytes = await bytesOf(io, { what, text, file });
  if (bytes === undefined) return undefined;
  if (bytes.length > mostBytes) throw tooLong(what, file);
  if (!isUtf8(bytes)) {
    throw new Failure(
      `The ${what} is not UTF-8. Convert it first, for example with: iconv -f latin1 -t utf-8`,
    );
  }
  const read = bytes.toString('utf8');
  if (read.trim() === '') throw new Failure(`The ${what} is empty.`);
  return read;
}

async function bytesOf(io: Io, { what, text, file }: GivenText): Promise<Buffer | undefined> {
  if (file !== undefined) return readFile(what, file);
  if (text === '-') return io.readInput(mostBytes);
  return text === undefined ? undefined : Buffer.from(text);
}

function readFile(what: string, file: string): Buffer {
  try {
    // Asked first: nobody wants to wait for gigabytes to be told that they are too many.
    if (statSync(file).size > mostBytes) throw tooLong(what, file);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`Cannot read the ${what}: ${(error as Error).message}`);
  }
}

function tooLong(what: string, file: string | undefined): Failure {
  const instead =
    file === undefined ? 'Put it into a file and send the path.' : `Send the path instead: "Read ${file}".`;
  return new Failure(`The ${what} is longer than 1 MB (${mostBytes} bytes). ${instead}`);
}

/** Undefined stays undefined: it was not given. */
export function given<T extends string | undefined>(what: keyof typeof most, text: T): T {
  if (text === undefined) return text;
  if (text.trim() === '') throw new Failure(`The ${what} is empty.`);
  const { length } = text.trim();
  if (length > most[what])
    throw new Failure(`The ${what} has ${length} characters; the limit is ${most[what]}.`);
  return text;
}

const most = {
  name: 64,
  model: 2_000,
  task: 2_000,
  status: 100_000,
  reason: 500,
  answer: 10_000,
  command: 500,
  branch: 200,
  base: 200,
} as const;

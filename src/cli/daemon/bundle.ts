// Runs another program of the package in this terminal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';

export async function runBundle(io: Io, file: string, args: readonly string[]): Promise<number> {
  const program = join(io.programDir, file);
  if (!existsSync(program)) throw new Failure(`${program} is missing. Install sm again.`);
  return io.runProgram(process.execPath, [program, ...args]);
}

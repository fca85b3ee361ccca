// The same for each of several arguments: one refusal must not keep the others from it.
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { safeText } from './text/safe.ts';

/** The exit code: 1 when any was refused. Where there is no server, the others are not tried. */
export async function forEach(
  args: readonly string[],
  io: Io,
  act: (arg: string) => Promise<void>,
): Promise<0 | 1> {
  let exitCode: 0 | 1 = 0;
  for (const arg of args) {
    try {
      await act(arg);
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode === 2) throw error;
      io.err(`Error: ${safeText(error.message)}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}

// Finds a program the way a shell would.
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Located } from '../ports/provider.ts';

/** `args`: what stands before the arguments of each start, as for a program that only starts another. */
export async function locateProgram(
  command: string,
  path: string,
  advice: string,
  args: readonly string[] = [],
): Promise<Located> {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command));
  for (const candidate of candidates) {
    if (await isExecutable(candidate))
      return { found: candidate, versionCommand: [candidate, ...args, '--version'] };
  }
  return { missing: `${command} was not found${isAbsolute(command) ? '' : ' on the PATH'}. ${advice}` };
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

// Finds a program the way a shell would.
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Card, Located, Setup } from '../ports/provider.ts';
import { installing, sectionOf } from './cards.ts';

/** `args`: what stands before the arguments of each start, as for a program that only starts another. */
export async function locateProgram(
  card: Card,
  { command }: Pick<Setup, 'command'>,
  path: string,
  args: readonly string[] = [],
): Promise<Located> {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command));
  for (const candidate of candidates) {
    if (await isExecutable(candidate))
      return { found: candidate, versionCommand: [candidate, ...args, '--version'] };
  }
  return { missing: `${command} was not found${isAbsolute(command) ? '' : ' on the PATH'}. ${advice(card)}` };
}

function advice(card: Card): string {
  const other = `set ${sectionOf(card)}.command in the configuration.`;
  return card.tested ? `Install it with: ${installing(card.tested)}, or ${other}` : `Install it, or ${other}`;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

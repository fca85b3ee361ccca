// The completion script of a shell, made from the table of commands.
import type { Group } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { shapeOf } from './shape.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as Shell[];

export async function completionScript(shell: Shell, groups: readonly Group[]): Promise<string> {
  const entries = groups.flatMap(({ entries }) => Object.entries(entries));
  const shapes = entries.map(async ([word, entry]) => shapeOf(word, entry.summary, await entry.load()));
  return scripts[shell](await Promise.all(shapes));
}

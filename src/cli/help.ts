// The pages that --help shows.
import type { Command, Entry, OptionSpec } from './command.ts';
import { groups } from './commands.ts';

export function overview(): string {
  const width = Math.max(...groups.flatMap(({ entries }) => Object.keys(entries)).map((word) => word.length));
  const sections = groups.map(({ title, entries }) => {
    const lines = Object.entries(entries).map(
      ([word, { summary }]) => `  sm ${word.padEnd(width)}  ${summary}`,
    );
    return [title, ...lines].join('\n');
  });
  return [
    'sm runs teams of coding agents in real terminals.',
    ...sections,
    "Name a session by its id, the start of its id, or its name; a message by its id or the start of it.\nName several sessions by tag:T, repo:R, children:S, phase:P, or a pattern such as 'worker-*'.\nHelp for one command: sm COMMAND --help. Version: sm --version.",
    'Exit codes: 0 done, 1 refused or failed, 2 no server or not inside a session.\n',
  ].join('\n\n');
}

export function commandHelp(word: string, { summary }: Entry, { usage, about, options }: Command): string {
  const rows = Object.entries(options).map(([name, spec]) => [flag(name, spec), spec.help] as const);
  rows.push(['-h, --help', 'print this']);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `Usage: sm ${word} ${usage}`.trimEnd(),
    about ?? `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    `${rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`).join('\n')}\n`,
  ].join('\n\n');
}

/** `-n, --lines N` */
export function flag(name: string, { value, short, optional }: OptionSpec): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`}`;
}

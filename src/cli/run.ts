// From the words after `sm` to an exit code.
import { parseArguments } from './arguments.ts';
import type { Command, Entry } from './command.ts';
import { entryOf, groups } from './commands.ts';
import { createClient } from './daemon/client.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { oneLine, safeText } from './text/safe.ts';
import { arityOf, waysOf } from './usage.ts';

export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.err(`Error: ${safeText(error.message)}\n`);
    return error.exitCode;
  }
}

async function dispatch(given: readonly string[], io: Io): Promise<number> {
  // `sm help send` is `sm send --help`.
  const argv = given[0] === 'help' ? [...given.slice(1, 2), '--help'] : given;
  const isAtTerminal = io.inputIsTerminal && io.outputIsTerminal;
  const [word, ...rest] = argv.length === 0 && isAtTerminal ? ['watch'] : argv;
  const entry = word === undefined ? undefined : (entryOf(word) ?? (await configured(word, io)));
  if (word === undefined || !entry) {
    const { general } = await import('./no-command.ts');
    return general(argv, io);
  }
  const command = await entry.load();
  const { args, options, keys, rest: handedOn, help } = parseArguments(word, command, rest);
  if (help) {
    const { commandHelp } = await import('./help.ts');
    io.out(commandHelp(word, entry, command));
    return 0;
  }
  const wrong = wrongCount(command, args);
  if (wrong) throw new Failure(`${wrong}. Usage: sm ${word} ${command.usage}`.trimEnd());
  const client = createClient(io);
  return (await command.run({ word, args, options, keys, rest: handedOn, io, client, groups, sm: run })) ?? 0;
}

/** A word that is no command may be an agent that only the configuration names. */
async function configured(word: string, io: Io): Promise<Entry | undefined> {
  if (word.startsWith('-')) return undefined;
  const { configuredEntry } = await import('./configured.ts');
  return configuredEntry(word, io, createClient(io));
}

function wrongCount({ arity, usage, options }: Command, args: readonly string[]): string | undefined {
  const ways = waysOf(usage, options);
  const [fewest, most] = arity ?? arityOf(ways);
  if (args.length < fewest) {
    const required = ways[0]?.filter(({ isOptional }) => !isOptional) ?? [];
    return `Missing argument ${required[args.length]?.text.replace(/,.*|…/, '') ?? ''}`.trimEnd();
  }
  if (args.length <= most) return undefined;
  const takesText = /TEXT|PROMPT|TASK|NAME|COMMAND/.test(usage);
  const hint = takesText ? ' (quote a text that has spaces)' : '';
  return `Unexpected argument "${oneLine(args[most] ?? '')}"${hint}`;
}

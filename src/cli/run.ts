// From the words after `sm` to an exit code.
import { parseArguments } from './arguments.ts';
import { createClient } from './client.ts';
import { entryOf } from './commands.ts';
import { Failure } from './failure.ts';
import { safeText } from './format/text.ts';
import type { Io } from './io.ts';

export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.err(`Error: ${safeText(error.message)}\n`);
    return error.exitCode;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [word, ...rest] = argv;
  const entry = word === undefined ? undefined : entryOf(word);
  if (word === undefined || !entry) {
    const { general } = await import('./general.ts');
    return general(argv, io);
  }
  const command = await entry.load();
  const { args, options, keys, help } = parseArguments(word, command, rest);
  if (help) {
    const { commandHelp } = await import('./help.ts');
    io.out(commandHelp(word, entry, command));
    return 0;
  }
  const [fewest, most] = command.arity;
  if (args.length < fewest || args.length > most) {
    const what =
      args.length < fewest ? 'Something is missing' : 'Too many arguments (quote a text with spaces)';
    throw new Failure(`${what}. Usage: sm ${word} ${command.usage}`);
  }
  return (await command.run({ word, args, options, keys, io, client: createClient(io) })) ?? 0;
}

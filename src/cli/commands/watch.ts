import { join } from 'node:path';
import { createClient } from '../../client/client.ts';
import { transportTo } from '../../client/transport.ts';
import { defineCommand } from '../command.ts';
import { statePaths } from '../daemon/paths.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { plainLines } from '../watch-plain.ts';

export default defineCommand({
  usage: '[--plain]',
  about:
    'Shows all sessions, live: who waits for you comes first. ? lists the keys. Without a command, sm in a terminal does\n' +
    'the same. --plain prints one line for each change instead, for screen readers and logs.',
  options: { plain: { help: 'one line per change, nothing drawn' } },
  async run({ options, io, client, sm }) {
    // Starts the daemon where it does not run. From here on it is only watched.
    await client.ask('GET /health');
    const paths = statePaths(io);
    const live = createClient(transportTo(paths), io.env.SM_CALLER);
    if (options.plain) return plainLines(io, live);
    if (!io.inputIsTerminal || !io.outputIsTerminal)
      throw new Failure('sm watch needs a terminal. To print changes as lines: sm watch --plain');
    const { kinds } = await client.ask('GET /kinds');
    const { runScreen } = await import('../../screen/screen.ts');
    return runScreen({
      client: live,
      input: process.stdin,
      output: process.stdout,
      env: io.env,
      providers: kinds.map(({ name }) => name),
      choicesFile: join(paths.home, 'screen.json'),
      now: io.now,
      sm: (argv, columns) =>
        quietly(sm, argv, { ...io, inputIsTerminal: false, outputIsTerminal: false, columns }),
      smInTerminal: (argv) => quietly(sm, argv, io),
    });
  },
});

/** Runs a command and keeps what it would print. */
async function quietly(
  sm: (argv: readonly string[], io: Io) => Promise<number>,
  argv: readonly string[],
  io: Io,
): Promise<{ code: number; out: string }> {
  let out = '';
  const keep = (text: string) => {
    out += text;
  };
  const { now, readInput, ask, outputOf } = io;
  // Drop what was printed before a program took the terminal (how to leave it).
  const runProgram: Io['runProgram'] = (...args) => {
    out = '';
    return io.runProgram(...args);
  };
  const inside: Io = { ...io, now, readInput, ask, runProgram, outputOf, out: keep, err: keep };
  const code = await sm(argv, inside);
  return { code, out };
}

// What `sm` answers when its first word is not a command.
import { groups } from './commands.ts';
import { Failure } from './failure.ts';
import { overview } from './help.ts';
import type { Io } from './io.ts';
import { nearest } from './nearest.ts';
import { run } from './run.ts';
import { ownVersion } from './versions.ts';

export async function general([word, ...rest]: readonly string[], io: Io): Promise<number> {
  switch (word) {
    case undefined:
    case '--help':
    case '-h':
      io.out(overview());
      return 0;
    case 'help':
      return run(rest[0] === undefined ? ['--help'] : [rest[0], '--help'], io);
    case '--version':
    case '-v':
      io.out(`${ownVersion(io) ?? 'unknown'}\n`);
      return 0;
    default: {
      const guess = nearest(
        word,
        groups.flatMap(({ entries }) => Object.keys(entries)),
      );
      const hint = guess === undefined ? '' : ` Did you mean: sm ${guess}?`;
      throw new Failure(`Unknown command "${word}".${hint} See: sm --help`);
    }
  }
}

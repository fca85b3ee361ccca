// What `sm` answers when its first word is not a command.
import { groups } from './commands.ts';
import { ownVersion } from './daemon/versions.ts';
import { Failure } from './failure.ts';
import { overview } from './help.ts';
import type { Io } from './io.ts';
import { nearest } from './nearest.ts';

export function general([word]: readonly string[], io: Io): number {
  switch (word) {
    case undefined:
    case '--help':
    case '-h':
      io.out(overview());
      return 0;
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

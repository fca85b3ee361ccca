// What `sm` answers when its first word is not a command.
import { groups } from './commands.ts';
import { ownVersion } from './daemon/versions.ts';
import { Failure } from './failure.ts';
import { overview } from './help.ts';
import type { Io } from './io.ts';
import { nearest } from './nearest.ts';

/** What other programs call what we have under another name. */
const habits: Readonly<Record<string, string>> = {
  ls: 'all',
  list: 'all',
  ps: 'all',
  sessions: 'all',
  new: 'spawn',
  run: 'spawn',
  rm: 'kill',
  stop: 'kill',
  resume: 'restore',
  message: 'send',
  tell: 'send',
  open: 'attach',
  join: 'attach',
  start: 'up',
  quit: 'down',
  check: 'doctor',
  init: 'setup',
  install: 'setup',
  version: '--version',
};

const own = ['--help', '--version'];

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
      const words = groups.flatMap(({ entries }) => Object.keys(entries));
      const guess = Object.hasOwn(habits, word) ? habits[word] : nearest(word, [...words, ...own]);
      const hint = guess === undefined ? '' : ` Did you mean: sm ${guess}?`;
      throw new Failure(
        `Unknown ${word.startsWith('-') ? 'option' : 'command'} "${word}".${hint} See: sm --help`,
      );
    }
  }
}

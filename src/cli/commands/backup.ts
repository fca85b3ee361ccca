import { resolve } from 'node:path';
import { runBundle } from '../bundle.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  usage: 'FILE',
  about:
    'Writes the database, the texts of messages that are kept in files and the documents that were handed over into one\n' +
    'new file, for its owner alone, while the daemon works. It is an SQLite database. Not in it: your configuration, the\n' +
    "token, the logs, and the agents' own conversations. Go back to it with: sm restore-backup FILE",
  options: {},
  arity: [1, 1],
  run: ({ args: [file = ''], io }) => runBundle(io, 'daemon.cjs', ['--backup', resolve(io.cwd, file)]),
});

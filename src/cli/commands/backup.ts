import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';

export default defineCommand({
  usage: 'FILE',
  about:
    'Writes the database, long messages and handoff documents into one new file (SQLite, readable only by you). The\n' +
    'daemon keeps working. Not included: your configuration, the token, the logs, and the conversations of the agents.\n' +
    'Restore it with: sm restore-backup FILE',
  options: {},
  arity: [1, 1],
  run: ({ args: [file = ''], io }) => runBundle(io, 'daemon.cjs', ['--backup', resolve(io.cwd, file)]),
});

import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';

export default defineCommand({
  usage: 'FILE',
  about:
    'Writes the database, long messages, handoff documents and the rules of sm policy into one new file (SQLite,\n' +
    'readable only by you). The daemon keeps working. Not included: your configuration, the token, the logs, and the\n' +
    'conversations of the agents. Restore it with: sm restore-backup FILE',
  options: {},
  run: ({ args: [file = ''], io }) => runBundle(io, 'daemon.cjs', ['--backup', resolve(io.cwd, file)]),
});

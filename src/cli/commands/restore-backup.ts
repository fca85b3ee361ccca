import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';

export default defineCommand({
  usage: 'FILE [--stop]',
  about:
    'Checks a backup (or a copy from before an update, sm.db.schema-N) and replaces the database with it. The old\n' +
    'database is kept; sm says where. Messages that were waiting in the backup wait again.',
  options: {
    stop: { help: 'stop the daemon first; running agents keep running, and sm reports on each' },
  },
  run: ({ args: [file = ''], options, io }) =>
    runBundle(io, 'daemon.cjs', [
      '--restore-backup',
      resolve(io.cwd, file),
      ...(options.stop ? ['--stop'] : []),
    ]),
});

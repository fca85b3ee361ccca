import { resolve } from 'node:path';
import { runBundle } from '../bundle.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  usage: 'FILE [--stop]',
  about:
    'Checks a file of sm backup, or a copy from before an update (sm.db.schema-N), and puts it in the place of the\n' +
    'database. What was there is kept, and you are told where. Messages that waited when it was made wait again.',
  options: {
    stop: { help: 'stop the daemon first; agents that run go on, and you are told what comes of each' },
  },
  arity: [1, 1],
  run: ({ args: [file = ''], options, io }) =>
    runBundle(io, 'daemon.cjs', [
      '--restore-backup',
      resolve(io.cwd, file),
      ...(options.stop ? ['--stop'] : []),
    ]),
});

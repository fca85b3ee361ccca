import { runBundle } from '../bundle.ts';
import { defineCommand, jsonOption } from '../command.ts';

export default defineCommand({
  usage: '[--json]',
  options: { json: jsonOption },
  arity: [0, 0],
  run: ({ options, io }) => runBundle(io, 'daemon.cjs', options.json ? ['--doctor', '--json'] : ['--doctor']),
});

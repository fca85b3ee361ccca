import { runBundle } from '../bundle.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  usage: '',
  about:
    'Shows a manager and its workers, played by scripted agents: no account, no network, nothing left behind.',
  options: {},
  arity: [0, 0],
  run: ({ io }) => runBundle(io, 'demo.cjs', []),
});

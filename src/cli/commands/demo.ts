import { defineCommand } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';

export default defineCommand({
  usage: '',
  about:
    'Shows a manager and its workers, played by scripted agents. Needs no account and no network; leaves nothing behind.',
  options: {},
  run: ({ io }) => runBundle(io, 'demo.cjs', []),
});

import { defineCommand } from '../command.ts';
import { partWords, runSetupProgram } from '../setup.ts';

export default defineCommand({
  usage: `[${partWords}…] [--kill] [--yes]`,
  about:
    'Takes back what sm setup did, removes the hooks of sm from your settings, and stops the daemon. Your data stays, and\n' +
    'it says where. What you have changed since stays too. Name parts to take back only those.',
  options: {
    kill: { help: 'end the agents; without it, nothing is done while one runs' },
    yes: { short: 'y', help: 'do not ask' },
  },
  run: async ({ args, options, io }) => runSetupProgram(io, 'uninstall', args, options),
});

import { defineCommand } from '../command.ts';
import { partWords, runSetupProgram } from '../setup.ts';

export default defineCommand({
  usage: `[${partWords}…] [--yes] [--dry-run]`,
  about:
    'Checks this machine and offers: a configuration with every key explained, completion for your shells, a service\n' +
    'that starts at boot and survives logout, and a skill that teaches agents the commands. Name parts to do only those.\n' +
    'You can run it again at any time. It changes nothing of yours without asking, and sm uninstall takes it back.',
  options: {
    yes: { short: 'y', help: 'do not ask; what you have written stays as it is' },
    'dry-run': { help: 'print what it would do' },
  },
  run: async ({ args, options, io }) => runSetupProgram(io, 'setup', args, options),
});

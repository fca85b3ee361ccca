import { defineCommand } from '../command.ts';
import { skillText } from '../skill.ts';

export default defineCommand({
  usage: '[--file]',
  about:
    'Prints a short text that teaches an agent the commands of sm, for its instructions (CLAUDE.md, AGENTS.md). sm setup\n' +
    'installs it as a skill, which agents read when they need it.',
  options: { file: { help: 'print it as a skill file, with its front matter' } },
  async run({ options, io, groups }) {
    io.out(await skillText(groups, options.file));
  },
});

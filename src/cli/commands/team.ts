import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { teamDown } from '../team/down.ts';
import { usualFile } from '../team/file.ts';
import { teamStatus } from '../team/status.ts';
import { teamUp } from '../team/up.ts';

export default defineCommand({
  usage: 'up [FILE] [--restore] [--json] | down [TEAM|FILE] [--yes] | status [TEAM|FILE] [--json]',
  about:
    'A manager and its workers, described in a YAML file (default: team.yaml here).\n' +
    'up starts who is missing, with roles, profiles, worktrees and first prompts, and restores who has ended. Done again,\n' +
    'it starts nobody twice. down ends all sessions of the team. status shows them.',
  options: {
    restore: { help: 'with up: bring killed members back with their conversation, instead of new ones' },
    yes: { help: 'with down: do not ask' },
    json: jsonOption,
  },
  async run({ args: [action, given], options, io, client }) {
    const { restore, yes, json } = options;
    switch (action) {
      case 'up':
        return teamUp(io, client, { file: given ?? usualFile, restore, json });
      case 'down':
        return teamDown(io, client, given, yes);
      case 'status':
        await teamStatus(io, client, given, json);
        return 0;
    }
    throw new Failure(`Unknown action "${action}": say up, down or status. See: sm team --help`);
  },
});

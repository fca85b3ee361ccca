import { resolve } from 'node:path';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { allowSetup } from '../worktrees/allow.ts';
import { listWorktrees } from '../worktrees/list.ts';

export default defineCommand({
  usage: '[allow [DIR]] [--yes] [--json]',
  about:
    'Lists the worktrees that sm made for sessions, also for those that have ended.\n' +
    'allow shows the set-up script of the repository (.sm/worktree-setup) and lets it run in new worktrees, as long as it\n' +
    'stays as it is.',
  options: { yes: { help: 'do not ask' }, json: jsonOption },
  arity: [0, 2],
  async run({ args: [action, ref], options, io, client }) {
    if (action === undefined) return listWorktrees(io, client, options.json);
    if (action === 'allow') return allowSetup(io, client, { path: resolve(io.cwd, ref ?? '.') }, options.yes);
    throw new Failure(`Unknown action "${action}". See: sm worktrees --help`);
  },
});

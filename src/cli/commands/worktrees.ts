import { resolve } from 'node:path';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { allowSetup } from '../worktrees/allow.ts';
import { listWorktrees } from '../worktrees/list.ts';
import { removeWorktree, restoreWorktree } from '../worktrees/remove.ts';

export default defineCommand({
  usage: '[remove SESSION | restore SESSION | allow [DIR]] [--yes] [--archived] [--json]',
  about:
    'Lists the worktrees that sm made for sessions, also for those that have ended.\n' +
    'remove takes one away, if its session has ended and nothing is lost with it: all is committed, and merged or pushed,\n' +
    'and no process uses it. Its commits and untracked files are kept, and restore brings it back as it was.\n' +
    'allow shows the set-up script of the repository (.sm/worktree-setup) and lets it run in new worktrees, as long as it\n' +
    'stays as it is.',
  options: {
    yes: { help: 'do not ask' },
    archived: { help: 'list those that were removed' },
    json: jsonOption,
  },
  arity: [0, 2],
  async run({ args: [action, ref], options, io, client }) {
    if (action === undefined) return listWorktrees(io, client, options);
    if (action === 'allow') return allowSetup(io, client, { path: resolve(io.cwd, ref ?? '.') }, options.yes);
    if ((action === 'remove' || action === 'restore') && ref === undefined)
      throw new Failure(`Missing argument SESSION. Usage: sm worktrees ${action} SESSION`);
    if (action === 'remove') return removeWorktree(io, client, ref as string, options.yes);
    if (action === 'restore') return restoreWorktree(io, client, ref as string);
    throw new Failure(`Unknown action "${action}". See: sm worktrees --help`);
  },
});

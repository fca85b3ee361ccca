import { defineCommand, jsonOption } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';
import { Failure } from '../failure.ts';

const actions = ['install', 'status', 'uninstall'];

export default defineCommand({
  usage: 'install|status|uninstall [--json]',
  about:
    "Adds sm's hooks and status line to your Claude Code settings ($CLAUDE_CONFIG_DIR/settings.json, else\n" +
    '~/.claude/settings.json), for sessions that have CLAUDE_SESSION_MANAGER_ID but were not started by sm. They do\n' +
    'nothing in other sessions. Your own status line keeps working. Uninstall removes only what sm added.',
  options: { json: jsonOption },
  async run({ args: [action = ''], options, io }) {
    if (!actions.includes(action))
      throw new Failure(`Unknown action "${action}". Use one of: ${actions.join(', ')}.`);
    return runBundle(io, 'daemon.cjs', ['--hooks', action, ...(options.json ? ['--json'] : [])]);
  },
});

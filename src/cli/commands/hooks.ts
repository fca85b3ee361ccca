import { runBundle } from '../bundle.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';

const actions = ['install', 'status', 'uninstall'];

export default defineCommand({
  usage: 'install|status|uninstall [--json]',
  about:
    "Puts sm's hooks and status line into your own settings of Claude Code ($CLAUDE_CONFIG_DIR/settings.json, else\n" +
    '~/.claude/settings.json), for sessions that carry CLAUDE_SESSION_MANAGER_ID and were not started by sm; others\n' +
    'do not notice. Your own status line goes on. Uninstall puts the file back as it was; what you have changed since stays.',
  options: { json: jsonOption },
  arity: [1, 1],
  async run({ args: [action = ''], options, io }) {
    if (!actions.includes(action))
      throw new Failure(`sm hooks ${action}? Say one of: ${actions.join(', ')}.`);
    return runBundle(io, 'daemon.cjs', ['--hooks', action, ...(options.json ? ['--json'] : [])]);
  },
});

// Codex in a pane.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

export const card: Card = {
  name: 'codex',
  title: 'Codex',
  command: 'codex',
  tested,
  capabilities: {
    pane: true,
    typed: true,
    resume: true,
    fork: true,
    adopt: true,
    compact: true,
    permissionDialog: true,
    remoteAnswers: false,
    stops: true,
    stash: false,
    midTurn: 'in-tools',
    returnsPrompt: false,
    reviews: false,
    usage: true,
    tellsCost: false,
    handoff: true,
    commands: null,
    namesConversation: true,
  },
  keys: { erase: 'C-u' },
  // Not /new, which opens a dialog in a git repository.
  commandTo: { clear: '/clear', compact: '/compact' },
  variables: ['CODEX_(CI|SESSION_ID|THREAD_ID|TOOL_CALL_ID|VERSION|SANDBOX.*|APPLY_PATCH_.*)'],
  options: {
    permissionModes: ['read-only', 'auto', 'full-access'],
    noAddDir: null,
    noMcpConfig:
      'Codex reads MCP servers only from its configuration. Name one after --: -c \'mcp_servers.NAME={command="PROGRAM"}\'',
    ownArguments: ['--remote', '--cd', '-C', '--worktree', '--no-daemon', '--help', '-h', '--version', '-V'],
    accountVariable: 'CODEX_HOME',
  },
  home: { folder: '.codex', login: 'auth.json' },
};

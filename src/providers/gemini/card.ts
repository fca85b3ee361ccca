// Gemini CLI in a pane.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

export const card: Card = {
  name: 'gemini',
  title: 'Gemini CLI',
  command: 'gemini',
  tested,
  capabilities: {
    pane: true,
    typed: true,
    resume: true,
    fork: false,
    adopt: false,
    // It says that one begins before every request, and never that one has ended.
    compact: false,
    permissionDialog: true,
    remoteAnswers: false,
    stops: false,
    stash: false,
    // It keeps what is typed during a turn, and says nothing of it.
    midTurn: 'never',
    returnsPrompt: false,
    reviews: false,
    // How many tokens, but not of how many.
    usage: false,
    tellsCost: false,
    handoff: true,
    commands: null,
    namesConversation: false,
  },
  keys: { erase: 'C-u' },
  commandTo: { clear: '/clear', compact: '/compress' },
  variables: ['GEMINI_CLI', 'GEMINI_CLI_(IDE_.*|NO_RELAUNCH|WORKTREE_HANDLED)'],
  options: {
    permissionModes: ['default', 'auto_edit', 'yolo', 'plan'],
    noAddDir: null,
    noMcpConfig:
      'Gemini CLI reads MCP servers only from its settings. Add one with: gemini mcp add NAME COMMAND',
    ownArguments: [
      ...['--session-id', '--session-file', '--resume', '-r', '--list-sessions', '--delete-session'],
      ...['--prompt', '-p', '--acp', '--experimental-acp', '--worktree', '-w', '--extensions', '-e'],
      ...['--output-format', '-o', '--help', '-h', '--version', '-v', '--list-extensions', '-l'],
    ],
    accountVariable: 'GEMINI_CLI_HOME',
  },
};

// Claude Code in a pane.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

export const card: Card = {
  name: 'claude',
  title: 'Claude Code',
  command: 'claude',
  tested,
  capabilities: {
    pane: true,
    typed: true,
    resume: true,
    fork: true,
    adopt: true,
    compact: true,
    permissionDialog: true,
    remoteAnswers: true,
    stops: true,
    stash: true,
    midTurn: 'anytime',
    returnsPrompt: true,
    reviews: false,
    usage: true,
    tellsCost: true,
    handoff: true,
    commands: null,
    namesConversation: false,
  },
  keys: { erase: 'C-u', stash: 'C-s' },
  commandTo: { clear: '/clear', compact: '/compact' },
  variables: [
    'CLAUDECODE',
    'CLAUDE_CODE_(ENTRYPOINT|EXECPATH|SSE_PORT|CHILD_SESSION|SESSION_.*|MESSAGING_.*)',
    'CLAUDE_PID',
    'AI_AGENT',
  ],
  options: {
    permissionModes: ['manual', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'],
    noAddDir: null,
    noMcpConfig: null,
    ownArguments: [
      ...['--session-id', '--settings', '--resume', '-r', '--continue', '-c', '--fork-session', '--from-pr'],
      ...['--print', '-p', '--bg', '--background', '--cloud', '--desktop', '--teleport', '--tmux'],
      ...['--worktree', '-w', '--bare', '--safe-mode', '--help', '-h', '--version', '-v'],
    ],
    accountVariable: 'CLAUDE_CONFIG_DIR',
  },
  twin: 'claude-app',
  sandbox: true,
  home: { folder: '.claude', login: '.credentials.json' },
};

// GitHub Copilot CLI in a pane.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

export const card: Card = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  command: 'copilot',
  tested,
  capabilities: {
    pane: true,
    typed: true,
    resume: true,
    // It forks only in its own terminal, by a command of its own.
    fork: false,
    adopt: true,
    compact: true,
    permissionDialog: true,
    // Its hook for permissions runs before it knows whether it will ask, and its dialog waits for the hook.
    remoteAnswers: false,
    // An answer there would also override what its user denies in its own settings.
    allows: false,
    stops: true,
    stash: true,
    // Enter while a command runs moves the command to the background.
    midTurn: 'never',
    returnsPrompt: false,
    reviews: false,
    usage: true,
    tellsCost: false,
    handoff: true,
    commands: null,
    namesConversation: false,
  },
  // Escape has to be pressed twice, and two at once count as one.
  keys: { erase: 'C-u', stash: 'C-s', interrupt: 'C-c' },
  commandTo: { clear: '/clear', compact: '/compact' },
  variables: [
    'COPILOT_(AGENT_SESSION_ID|CLI|CLI_BINARY_VERSION|CLI_RESOLVED_DIST_DIR|LOADER_PID|RUN_APP|PROJECT_DIR|HOOK_DIR)',
    '((COPILOT|CLAUDE)_)?PLUGIN_(ROOT|DATA)',
  ],
  options: {
    permissionModes: ['allow-tools', 'allow-all', 'plan'],
    noAddDir: null,
    noMcpConfig: null,
    ownArguments: [
      ...[
        '--session-id',
        '--resume',
        '-r',
        '--continue',
        '--connect',
        '--prompt',
        '-p',
        '--interactive',
        '-i',
      ],
      ...['--acp', '--environment-host', '--output-format', '--screen-reader', '-C', '--help', '-h'],
      ...['--version', '-v'],
    ],
    accountVariable: 'COPILOT_HOME',
  },
};

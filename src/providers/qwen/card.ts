// Qwen Code: it has a terminal for its human, and takes what we say from a file.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

export const card: Card = {
  name: 'qwen',
  title: 'Qwen Code',
  command: 'qwen',
  tested,
  capabilities: {
    pane: true,
    typed: false,
    resume: true,
    fork: true,
    adopt: true,
    compact: true,
    permissionDialog: true,
    remoteAnswers: true,
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
    // The words that come with it are its next prompt.
    goesOnAfterNo: false,
    longTexts: false,
  },
  keys: null,
  commandTo: { clear: '/clear', compact: '/compress' },
  variables: [
    'QWEN_CODE',
    'QWEN_CODE_(CLI|STARTUP_VERSION|LAUNCHER_(PID|PATH)|MANAGED_NPM_(PIN|ROOT)|SYSTEM_(SETTINGS|DEFAULTS)_PATH|SESSION_ID)',
  ],
  options: {
    permissionModes: ['plan', 'default', 'auto-edit', 'auto', 'yolo'],
    noAddDir: null,
    noMcpConfig: null,
    ownArguments: [
      ...['--input-file', '--json-file', '--json-fd', '--session-id', '--resume', '-r', '--continue', '-c'],
      ...['--fork-session', '--prompt', '-p', '--prompt-interactive', '-i', '--acp', '--bare', '--safe-mode'],
      ...['--chat-recording', '--worktree', '--input-format', '--output-format', '-o'],
      ...['--help', '-h', '--version', '-v'],
    ],
    accountVariable: 'QWEN_HOME',
  },
};

// opencode: it has a terminal for its human, and a server that we speak to.
import type { Card } from '../../ports/provider.ts';
import tested from './tested.json' with { type: 'json' };

/** Its driver does what these mean. */
const commandTo = { clear: '/clear', compact: '/compact' };

export const card: Card = {
  name: 'opencode',
  title: 'opencode',
  command: 'opencode',
  tested,
  capabilities: {
    pane: true,
    typed: false,
    resume: true,
    fork: true,
    adopt: false,
    compact: true,
    permissionDialog: true,
    remoteAnswers: true,
    stops: false,
    stash: false,
    midTurn: 'in-tools',
    returnsPrompt: false,
    reviews: false,
    usage: true,
    tellsCost: false,
    handoff: true,
    commands: Object.values(commandTo),
    namesConversation: true,
  },
  keys: null,
  commandTo,
  variables: ['OPENCODE', 'OPENCODE_(PID|PROCESS_ROLE|RUN_ID|SERVER_PASSWORD|SERVER_USERNAME)'],
  options: {
    permissionModes: ['ask', 'allow'],
    noAddDir:
      'opencode has no --add-dir. Allow such a directory in its configuration: "permission": {"external_directory": {"DIR/*": "allow"}}',
    noMcpConfig: 'opencode reads MCP servers only from its configuration: "mcp" in opencode.json.',
    ownArguments: [
      ...['--port', '--hostname', '--mdns', '--session', '-s', '--continue', '-c', '--fork', '--prompt'],
      ...['--help', '-h', '--version', '-v', 'serve', 'attach', 'run', 'acp', 'web'],
    ],
    accountVariable: 'XDG_DATA_HOME',
  },
};

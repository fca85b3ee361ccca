// Codex without a terminal: an app-server per session, which is spoken to and listened to.
import type { Card } from '../../ports/provider.ts';
import { card as codex } from '../codex/card.ts';

/** Its driver does what these mean. */
const commandTo = { clear: '/clear', compact: '/compact' };

export const card: Card = {
  name: 'codex-app',
  title: 'Codex without a terminal',
  /** The arguments in the configuration are those of `codex app-server`. */
  command: codex.command,
  tested: codex.tested,
  capabilities: {
    pane: false,
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
    reviews: true,
    usage: true,
    tellsCost: false,
    // A handoff is an agent's own, from inside its terminal.
    handoff: false,
    commands: Object.values(commandTo),
    namesConversation: true,
  },
  keys: null,
  commandTo,
  variables: codex.variables,
  options: {
    ...codex.options,
    noAddDir:
      'An app-server of Codex has no --add-dir. Name all such directories after --: -c \'sandbox_workspace_write.writable_roots=["DIR"]\'',
    ownArguments: ['--listen', '--stdio', '--print-startup-config', '--help', '-h', '--version', '-V'],
  },
};

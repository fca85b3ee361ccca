// Any agent that speaks the open Agent Client Protocol. The configuration names such agents (`agents:`), and each is a
// kind of its own, with this card.
import type { Card } from '../../ports/provider.ts';

/** Its driver does what this means: the protocol has no word for it, and agents take it for a text. */
const clear = '/clear';

export const card: Card = {
  name: 'acp',
  title: 'any other agent, by the Agent Client Protocol',
  command: '',
  tested: null,
  capabilities: {
    pane: false,
    typed: false,
    resume: true,
    fork: false,
    adopt: false,
    compact: false,
    permissionDialog: true,
    remoteAnswers: true,
    stops: false,
    stash: false,
    // A second prompt cuts the first one, or waits behind it, as the agent likes.
    midTurn: 'never',
    returnsPrompt: false,
    reviews: false,
    usage: false,
    tellsCost: false,
    handoff: true,
    commands: [clear],
    namesConversation: true,
    tellsPrompt: false,
    takesWords: false,
    goesOnAfterNo: false,
    tellsModel: false,
  },
  keys: null,
  // Without a command of its own, nothing that it does is a compaction that we asked for.
  commandTo: { clear, compact: '' },
  variables: [],
  options: {
    permissionModes: [],
    noAddDir: 'The Agent Client Protocol has no way to tell an agent of them that all agents know.',
    noMcpConfig: null,
    ownArguments: [],
    accountVariable: null,
  },
};

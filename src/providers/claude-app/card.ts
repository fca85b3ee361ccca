// Claude Code without a terminal, which is spoken to and listened to.
import type { Card } from '../../ports/provider.ts';
import { card as claude } from '../claude/card.ts';

export const card: Card = {
  ...claude,
  name: 'claude-app',
  title: 'Claude Code without a terminal',
  capabilities: { ...claude.capabilities, pane: false, typed: false, stash: false, returnsPrompt: false },
  keys: null,
  twin: claude.name,
  options: {
    ...claude.options,
    ownArguments: [
      ...claude.options.ownArguments,
      ...['--input-format', '--output-format', '--permission-prompt-tool', '--verbose'],
    ],
  },
};

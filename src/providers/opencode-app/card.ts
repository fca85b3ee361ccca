// opencode without a terminal: only its server.
import type { Card } from '../../ports/provider.ts';
import { card as opencode } from '../opencode/card.ts';

export const card: Card = {
  ...opencode,
  name: 'opencode-app',
  title: 'opencode without a terminal',
  capabilities: { ...opencode.capabilities, pane: false },
};

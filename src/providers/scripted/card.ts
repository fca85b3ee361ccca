// The scripted agent: our own stand-in with Claude Code's semantics, for the demo and the tests.
import type { Card } from '../../ports/provider.ts';
import { card as claude } from '../claude/card.ts';

export const card: Card = {
  ...claude,
  name: 'scripted',
  title: 'the scripted agent, which needs no account,',
  command: null,
  tested: null,
};

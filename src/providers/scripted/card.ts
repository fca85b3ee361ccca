// The scripted agent: our own stand-in with Claude Code's semantics, for the demo and the tests.
import type { Card } from '../../ports/provider.ts';
import { card as claude } from '../claude/card.ts';

const { twin: _, ...manners } = claude;

export const card: Card = {
  ...manners,
  name: 'scripted',
  title: 'the scripted agent, which needs no account,',
  command: null,
  tested: null,
};

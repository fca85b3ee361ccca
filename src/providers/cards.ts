// What is declared of each kind of agent. Plain data: whoever only wants to know loads no code.
import type { Card, Tested } from '../ports/provider.ts';
import { card as acp } from './acp/card.ts';
import * as registered from './registry.ts';

export const cards: readonly Card[] = Object.values(registered);

/** What the agents that the configuration names (`agents:`) are kinds of. It is none by itself. */
export const configurable: Card = acp;

export const cardOf = (name: string): Card | undefined => cards.find((card) => card.name === name);

/** Its section in the configuration. */
export const sectionOf = ({ name, configured }: Card): string =>
  configured?.section ?? name.replaceAll('-', '_');

/** One that a user brings along. What ships with sm is only for the demo and the tests. */
export const isAgent = ({ command }: Card): boolean => command !== null;

export const agents: readonly Card[] = cards.filter(isAgent);

/** The one that is started where nobody names another. */
export const standard: Card = registered.claude;

export const reviewers: readonly Card[] = cards.filter(({ capabilities }) => capabilities.reviews);

/** What a terminal or an agent sets for what runs inside of it, as patterns: whatever runs elsewhere sheds it. */
export const foreignVariables: readonly string[] = [
  'TMUX(_.*)?',
  'TERM_PROGRAM.*',
  ...new Set(cards.flatMap(({ variables }) => variables)),
];

/** The command that installs it, in the newest version or in a given one. */
export const installing = ({ package: name }: Tested, version?: string): string =>
  `npm install -g ${name}${version === undefined ? '' : `@${version}`}`;

// What is declared of each kind of agent. Plain data: whoever only wants to know loads no code.
import type { Card, Tested } from '../ports/provider.ts';
import * as registered from './registry.ts';

export const cards: readonly Card[] = Object.values(registered);

export const cardOf = (name: string): Card | undefined => cards.find((card) => card.name === name);

/** Its section in the configuration. */
export const sectionOf = ({ name }: Card): string => name.replaceAll('-', '_');

/** One that a user brings along. What ships with sm is only for the demo and the tests. */
export const isAgent = ({ command }: Card): boolean => command !== null;

export const agents: readonly Card[] = cards.filter(isAgent);

/** The command that installs it, in the newest version or in a given one. */
export const installing = ({ package: name }: Tested, version?: string): string =>
  `npm install -g ${name}${version === undefined ? '' : `@${version}`}`;

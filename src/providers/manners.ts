// What decisions know of each kind of agent: a part of its card.
import type { Manners } from '../domain/core/manners.ts';
import type { Card } from '../ports/provider.ts';
import { cards } from './cards.ts';

/** To a session of a kind that is not registered any more nothing can be typed, so that any will do. */
const anyOther = mannersIn(cards[0] as Card);

export function mannersAmong(kinds: Iterable<Card>): (provider: string) => Manners {
  const known = new Map([...kinds].map((card) => [card.name, mannersIn(card)]));
  return (provider) => known.get(provider) ?? anyOther;
}

export const mannersOf = mannersAmong(cards);

function mannersIn({ capabilities, commandTo, keys }: Card): Manners {
  const { midTurn, stash, handoff, tellsCost } = capabilities;
  const interruptedOnce = keys?.interrupt !== undefined;
  return { midTurn, stash, handoff, tellsCost, commandTo, interruptedOnce };
}

// What decisions know of each kind of agent: a part of its card.
import type { Manners } from '../domain/core/manners.ts';
import type { Card } from '../ports/provider.ts';
import { cards } from './cards.ts';

const known = new Map(cards.map((card) => [card.name, mannersIn(card)]));

/** To a session of a kind that is not registered any more nothing can be typed, so that any will do. */
const anyOther = mannersIn(cards[0] as Card);

export const mannersOf = (provider: string): Manners => known.get(provider) ?? anyOther;

function mannersIn({ capabilities, commandTo }: Card): Manners {
  const { midTurn, stash, handoff, tellsCost } = capabilities;
  return { midTurn, stash, handoff, tellsCost, commandTo };
}

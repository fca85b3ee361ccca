// What is to happen in a run, and when: drawn from the seed alone. The same seed gives the same plan. What no seed can give
// again is the moment at which a machine gets to it, and so what the deed or fault then finds.
import { dice } from '../fuzz/dice.ts';

export interface Planned {
  /** In ms from the start. */
  readonly at: number;
  readonly is: 'deed' | 'fault';
  readonly name: string;
  /** Its own, and what its choices are drawn from. */
  readonly number: number;
  readonly seed: number;
}

/** How often, compared with the others. */
export type Weights = Readonly<Record<string, { readonly weight: number }>>;

/** Between two deeds of one agent, and two faults of the whole machine, on average. */
const pace = { deed: 4_000, fault: 5_000 };

export function planOf(
  seed: number,
  size: { readonly minutes: number; readonly agents: number },
  of: { readonly deeds: Weights; readonly faults: Weights },
): Planned[] {
  const until = size.minutes * 60_000;
  const line = (is: Planned['is'], weights: Weights, mean: number, salt: number): Planned[] => {
    const d = dice(seed + salt);
    const planned: Planned[] = [];
    for (let at = d.below(2 * mean); at < until; at += d.below(2 * mean)) {
      const number = planned.length;
      planned.push({ at, is, name: drawn(weights, d.below), number, seed: seed + salt + 7 * (number + 1) });
    }
    return planned;
  };
  return [
    ...line('deed', of.deeds, pace.deed / size.agents, 1_000_003),
    ...line('fault', of.faults, pace.fault, 2_000_003),
  ].sort((a, b) => a.at - b.at);
}

function drawn(weights: Weights, below: (n: number) => number): string {
  const all = Object.entries(weights);
  let at = below(all.reduce((sum, [, { weight }]) => sum + weight, 0));
  for (const [name, { weight }] of all) {
    at -= weight;
    if (at < 0) return name;
  }
  throw new Error('there is nothing to draw');
}

// What is used up goes into the books once, however often it is told: by what was told before of the same meter.
import type { Change } from '../core/change.ts';
import type { Fact } from '../core/fact.ts';
import { atLeast, beyond, noTokens, plus, quarter, totalOf } from '../core/spending.ts';

/** An agent writes at one message at a time; the others are for what is told late. */
const metersKept = 8;

export function spent(
  c: Change,
  { meter, before, tokens, model }: Omit<Extract<Fact, { is: 'spent' }>, 'is'>,
): void {
  const { spending } = c.session;
  const known = spending.meters.find(({ of }) => of === meter)?.tokens ?? before;
  const added = beyond(tokens, known);
  const rest = spending.meters.filter(({ of }) => of !== meter);
  const meters = [...rest, { of: meter, tokens: atLeast(tokens, known) }].slice(-metersKept);
  if (totalOf(added) === 0) {
    if (rest.length === spending.meters.length) c.update({ spending: { ...spending, meters } });
    return;
  }
  const name = model ?? 'unknown';
  const so = spending.models.find((each) => each.model === name)?.tokens ?? noTokens;
  const others = spending.models.filter((each) => each.model !== name);
  c.update({
    spending: { ...spending, meters, models: [...others, { model: name, tokens: plus(so, added) }] },
  });
  c.spend({ ...place(c), model: name, tokens: added, costUsd: null });
}

/**
 * What the agent says that all of it has cost, since its process or its conversation began: it counts each from nothing. A
 * word from before is late, and counts for nothing.
 */
export function costTold(c: Change, costUsd: number, at: number): void {
  const { spending } = c.session;
  const { process, context } = c.session;
  const of = `${context.providerId} ${'pid' in process ? process.pid : null}`;
  const { told } = spending;
  const before = told?.of === of ? told.costUsd : 0;
  if (told && (at < told.at || (told.of === of && costUsd === before))) return;
  const added = costUsd >= before ? costUsd - before : costUsd;
  c.update({
    spending: { ...spending, told: { of, costUsd, at }, costUsd: (spending.costUsd ?? 0) + added },
  });
  c.spend({ ...place(c), model: '', tokens: noTokens, costUsd: added });
}

const place = ({ session, now }: Change) => ({
  sessionId: session.id,
  context: session.context.number,
  at: now - (now % quarter),
});

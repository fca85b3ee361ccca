// Budgets: what was used up is held against them after every input. A session passes on to its parent what it and all
// below it have used, and to its children that a family budget is used up: each of them is told by identity and serial,
// so that it counts once, and a crash loses none of it.
import {
  type Budget,
  type Budgets,
  type FamilyNews,
  isSameUse,
  type Mark,
  markAt,
  newBudget,
  partUsed,
  together,
  type Used,
  usedBy,
} from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import type { Input, Others, Refusal } from '../core/input.ts';
import { modes } from '../core/names.ts';
import { invalid, stands } from '../core/refusal.ts';
import { modelOf, nameAndId } from '../core/session.ts';
import { letGo } from '../delivery/outcome.ts';
import { tellBudget, tellHeld, tellUsedUp } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';

type Which = 'own' | 'family';

export function setBudget(c: Change, input: Extract<Input, { type: 'set-budget' }>): Refusal | undefined {
  const { family, amount, by } = input;
  const which = family ? 'family' : 'own';
  if (amount && Object.values(amount).some((each) => each !== null && !(each > 0)))
    return invalid('A budget must be more than nothing.');
  if (amount && amount.usd === null && amount.tokens === null)
    return invalid('A budget needs an amount of money, of tokens, or both.');
  const unknown = amount?.usd != null && unknownCost(c, which);
  if (unknown) return unknown;
  put(c, { [which]: amount && newBudget(amount) });
  if (amount) c.emit({ type: 'budget', step: 'set', family, usd: amount.usd, tokens: amount.tokens, by });
  else c.emit({ type: 'budget', step: 'off', family, by });
  return undefined;
}

/** Nobody can hold against a budget of money what nobody knows the cost of. */
function unknownCost(c: Change, which: Which): Refusal | undefined {
  const { session, settings, manners } = c;
  const model = modelOf(session);
  const isNew = session.spending.models.length === 0 && !manners.tellsCost;
  const willBe = isNew && model !== null && settings.prices(model) === null;
  if (useOf(c, which).unpriced === 0 && !willBe) return undefined;
  const whose = which === 'family' ? `the family of ${nameAndId(session)}` : nameAndId(session);
  const unpriced = session.spending.models.flatMap((each) =>
    settings.prices(each.model) ? [] : [each.model],
  );
  const models = unpriced.length > 0 ? unpriced.join(', ') : (model ?? 'the model');
  return stands(
    session,
    'cost-unknown',
    `What ${whose} costs is not known: an agent does not tell it, and there is no price for ${models}.`,
  );
}

/** A relative has told something. */
export function familyTold(c: Change, news: FamilyNews): undefined {
  const { children, above } = c.session.budgets;
  if (news.is === 'hold') {
    if (news.serial > (above?.serial ?? -1)) put(c, { above: news });
    return;
  }
  const known = children.find(({ of }) => of === news.of);
  if (known && news.serial <= known.serial) return;
  put(c, { children: [...children.filter((each) => each !== known), news] });
}

/** Called after every input. */
export function pursueBudgets(c: Change, others: Others): void {
  const { parentId, budgets } = c.session;
  if (budgets.own) measure(c, 'own', budgets.own);
  if (budgets.family) measure(c, 'family', budgets.family);
  if (parentId !== null) tellParent(c, parentId);
  tellChildren(c, others);
  settleHold(c);
}

function measure(c: Change, which: Which, budget: Budget): void {
  const used = useOf(c, which);
  const mark = markAt(partUsed(budget, used));
  const isUnknown = budget.usd !== null && used.unpriced > 0;
  if (isSameUse(used, budget.used) && mark === budget.mark && isUnknown === budget.toldUnknown) return;
  const hold =
    mark === 'used-up' ? (budget.hold ?? { why: whyHeld(which, budget, used), since: c.now }) : null;
  put(c, { [which]: { ...budget, used, mark, hold, toldUnknown: isUnknown } });
  const family = which === 'family';
  if (isUnknown && !budget.toldUnknown) {
    c.emit({ type: 'budget', step: 'unknown', family, text: wording.costUnknown(used.unpriced) });
    tellBudget(c, wording.costUnknown(used.unpriced));
  }
  if (rank[mark] <= rank[budget.mark]) return;
  const text = hold?.why ?? wording.budgetNear(family, budget, used);
  if (hold) {
    c.emit({ type: 'budget', step: 'used-up', family, text });
    tellUsedUp(c, family, text);
  } else {
    c.emit({ type: 'budget', step: 'near', family, text });
    tellBudget(c, text);
  }
}

const rank: Readonly<Record<Mark, number>> = { open: 0, near: 1, 'used-up': 2 };

const whyHeld = (which: Which, budget: Budget, used: Used): string =>
  wording.usedUp(which === 'family' ? 'family budget' : 'budget', budget, used);

function useOf({ session, settings, manners }: Change, which: Which): Used {
  const own = usedBy(session.spending, manners.tellsCost, settings.prices);
  return which === 'own' ? own : together([own, ...session.budgets.children.map(({ used }) => used)]);
}

function tellParent(c: Change, to: string): void {
  const used = useOf(c, 'family');
  if (isSameUse(used, c.session.budgets.toldParent)) return;
  put(c, { toldParent: used });
  const { id, serial } = c.session;
  c.owe({ do: 'pass-on', to, news: { is: 'used', of: id, serial, used } });
}

/** Also those that were killed: what is below them has only them to hear it from. */
function tellChildren(c: Change, others: Others): void {
  const { id, budgets } = c.session;
  const { family, above, toldChildren, children } = budgets;
  const ownHold = family?.hold ?? null;
  const hold = ownHold
    ? { ...ownHold, why: wording.setOn(nameAndId(c.session), ownHold.why) }
    : (above?.hold ?? null);
  if (hold?.why === toldChildren?.why) return;
  put(c, { toldChildren: hold });
  const { serial } = c.session;
  for (const to of new Set([...others.childrenOf(id), ...children.map(({ of }) => of)]))
    c.owe({ do: 'pass-on', to, news: { is: 'hold', serial, hold } });
}

function settleHold(c: Change): void {
  const { own, family, above, hold: before } = c.session.budgets;
  const hold = own?.hold ?? family?.hold ?? above?.hold ?? null;
  if (hold?.why === before?.why) return;
  put(c, { hold });
  if (before) letGo(c, [...waiting(c)], before.why);
  if (hold) {
    c.emit({ type: 'budget', step: 'held', why: hold.why });
    tellHeld(c, hold.why, waiting(c), own?.hold || family?.hold ? c.session.parentId : null);
  } else if (before) {
    c.emit({ type: 'budget', step: 'free' });
    c.announce({ is: 'unblocked', since: before.since });
  }
}

function* waiting(c: Change) {
  for (const mode of modes) yield* c.waiting(mode);
}

const put = (c: Change, change: Partial<Budgets>): void =>
  c.update({ budgets: { ...c.session.budgets, ...change } });

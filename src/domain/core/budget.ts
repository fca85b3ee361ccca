// A budget: how much a session, or its family (the session and all of its descendants), may use up. At 80 % somebody is
// told; when nothing is left, nothing more is typed until the budget is raised or removed.
import type { SessionId } from './names.ts';
import { type Prices, priced, type Spending, totalOf } from './spending.ts';

/** Of money, of tokens, or of both; null: as much as it likes. */
export interface Amount {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export interface Used {
  readonly tokens: number;
  /** As far as it is known. */
  readonly usd: number;
  /** Tokens whose cost nobody knows. */
  readonly unpriced: number;
}

export type Mark = 'open' | 'near' | 'used-up';

export interface Budget extends Amount {
  readonly used: Used;
  readonly mark: Mark;
  /** While it is used up. */
  readonly hold: Hold | null;
  /** It was told that a part of the cost is unknown. */
  readonly toldUnknown: boolean;
}

/** Why nothing is typed. */
export interface Hold {
  readonly why: string;
  readonly since: number;
}

/** What relatives tell each other. `serial`: of the one who tells it; what is older than what is known is late. */
export type FamilyNews =
  | { readonly is: 'used'; readonly of: SessionId; readonly serial: number; readonly used: Used }
  /** From the parent: a family budget further up is used up; null: none is. */
  | { readonly is: 'hold'; readonly serial: number; readonly hold: Hold | null };

export interface Budgets {
  readonly own: Budget | null;
  readonly family: Budget | null;
  /** What each child and all below it have used up, as it last told. */
  readonly children: readonly Extract<FamilyNews, { is: 'used' }>[];
  /** What the parent was told that this session and all below it have used up. */
  readonly toldParent: Used;
  readonly above: Extract<FamilyNews, { is: 'hold' }> | null;
  /** What the children were told. */
  readonly toldChildren: Hold | null;
  /** What holds this session, of all that might. */
  readonly hold: Hold | null;
}

export const nothingUsed: Used = { tokens: 0, usd: 0, unpriced: 0 };

export const noBudgets: Budgets = {
  own: null,
  family: null,
  children: [],
  toldParent: nothingUsed,
  above: null,
  toldChildren: null,
  hold: null,
};

export const newBudget = ({ usd, tokens }: Amount): Budget => ({
  usd,
  tokens,
  used: nothingUsed,
  mark: 'open',
  hold: null,
  toldUnknown: false,
});

/** Null: nothing holds it. */
export const holdOf = (session: { readonly budgets: Budgets }): Hold | null => session.budgets.hold;

/** `tellsCost`: the agent does so itself, so that what it has not told yet is not unknown. */
export function usedBy({ models, costUsd }: Spending, tellsCost: boolean, prices: Prices): Used {
  const tokens = models.reduce((sum, each) => sum + totalOf(each.tokens), 0);
  if (tellsCost || costUsd !== null) return { tokens, usd: costUsd ?? 0, unpriced: 0 };
  let usd = 0;
  let unpriced = 0;
  for (const each of models) {
    const price = prices(each.model);
    if (price) usd += priced(each.tokens, price);
    else unpriced += totalOf(each.tokens);
  }
  return { tokens, usd, unpriced };
}

export const together = (all: readonly Used[]): Used =>
  all.reduce(
    (sum, each) => ({
      tokens: sum.tokens + each.tokens,
      usd: sum.usd + each.usd,
      unpriced: sum.unpriced + each.unpriced,
    }),
    nothingUsed,
  );

export const isSameUse = (a: Used, b: Used): boolean =>
  a.tokens === b.tokens && a.usd === b.usd && a.unpriced === b.unpriced;

/** The part that is used, of that of which more is; 1: all of it. */
export function partUsed({ usd, tokens }: Amount, used: Used): number {
  return Math.max(usd === null ? 0 : used.usd / usd, tokens === null ? 0 : used.tokens / tokens);
}

const near = 0.8;

export function markAt(part: number): Mark {
  if (part >= 1) return 'used-up';
  return part >= near ? 'near' : 'open';
}

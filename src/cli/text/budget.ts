// Budgets in words and figures.
import type { OneBudget } from '../../protocol/session.ts';
import { count, usd } from './cost.ts';
import { oneLine } from './safe.ts';
import { tableLines } from './table.ts';

export interface BudgetRow extends OneBudget {
  readonly session_id: string;
  readonly session_name: string;
  readonly family: boolean;
}

const states: Readonly<Record<OneBudget['state'], string>> = {
  open: '',
  near: 'nearly used up',
  'used-up': 'used up',
};

export function budgetLines(rows: readonly BudgetRow[], room?: number): string[] {
  const cells = rows.map((row) => [
    `${oneLine(row.session_name)} (${row.session_id})${row.family ? ' and family' : ''}`,
    budgetText(row),
    usedText(row),
    `${row.used_percentage}%`,
    states[row.state],
  ]);
  const unknown = rows.some(isUnknown)
    ? ['? is unknown: some tokens have no price (see sm cost), and do not count.']
    : [];
  return [...tableLines(['SESSION', 'BUDGET', 'USED', 'PART', ''], cells, room), ...unknown];
}

/** `$5.00`, `2M tokens`, `$5.00 and 2M tokens` */
export function budgetText({ usd: money, tokens }: Pick<OneBudget, 'usd' | 'tokens'>): string {
  return [money !== null && usd(money), tokens !== null && `${count(tokens)} tokens`]
    .filter(Boolean)
    .join(' and ');
}

function usedText(row: BudgetRow): string {
  const { usd: money, tokens, used_usd: spent, used_tokens: used } = row;
  const parts = [
    money !== null && `${usd(spent)}${isUnknown(row) ? ' + ?' : ''}`,
    tokens !== null && `${count(used)} tokens`,
  ];
  return parts.filter(Boolean).join(' and ');
}

const isUnknown = ({ usd: money, unpriced_tokens: unpriced }: OneBudget): boolean =>
  money !== null && unpriced > 0;

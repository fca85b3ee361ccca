// What was used up, in words and figures.
import type { CostEntry, CostView } from '../../protocol/cost.ts';
import { oneLine } from './safe.ts';
import { tableLines } from './table.ts';

const titles: Readonly<Record<CostView['by'], string>> = {
  session: 'SESSION',
  context: 'CONTEXT',
  family: 'FAMILY',
  day: 'DAY',
};

export const nothingUsed = 'Nothing was used, as far as the agents have told.';

export function costLines(cost: CostView, room?: number): string[] {
  if (cost.entries.length === 0) return [nothingUsed];
  const { heading, rows } = costTable(cost);
  return [...tableLines(heading, rows, room), ...whatIsUnknown(cost)];
}

export function costTable(cost: CostView): { readonly heading: string[]; readonly rows: string[][] } {
  const rows = cost.entries.map((entry) => [nameOf(entry, cost.by), ...figures(entry)]);
  const total = cost.entries.length > 1 ? [['total', ...figures(cost.total)]] : [];
  const heading = [titles[cost.by], 'INPUT', 'CACHED', 'OUTPUT', 'TOKENS', 'COST'];
  return { heading, rows: [...rows, ...total] };
}

function nameOf({ session_id: id, session_name: name, context, day }: CostEntry, by: CostView['by']) {
  if (by === 'day') return day ?? '?';
  const session = `${oneLine(name ?? '')} (${id})`;
  return by === 'context' ? `${session} ${context}` : session;
}

function figures({ tokens, cost_usd: cost, unpriced_tokens: unpriced }: CostView['total']): string[] {
  const { input, cache_read: read, cache_write: written, output, total } = tokens;
  return [
    count(input + written),
    count(read),
    count(output),
    count(total),
    cost === null ? '?' : `${usd(cost)}${unpriced > 0 ? ' + ?' : ''}`,
  ];
}

export function whatIsUnknown({ unpriced_models: models }: CostView): string[] {
  if (models.length === 0) return [];
  return [
    `? is unknown: the agent does not tell the cost, and there is no price for ${models.map(oneLine).join(', ')}.`,
    'Set it in the configuration, in USD per million tokens: prices: { MODEL: { input: N, output: N } }',
  ];
}

/** `$0.42`; `<$0.01` for less than a cent that is something. */
export const usd = (amount: number): string =>
  amount > 0 && amount < 0.005 ? '<$0.01' : `$${amount.toFixed(2)}`;

/** `940`, `12k`, `3.4M`. */
export function count(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_500) return `${short(tokens / 1_000)}k`;
  return `${short(tokens / 1_000_000)}M`;
}

const short = (value: number): string =>
  value < 10 ? String(Math.round(value * 10) / 10) : value.toFixed(0);

// sm cost.
import { expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import type { CostView } from '../../protocol/cost.ts';

const tokens = { input: 20_400, cache_read: 1_200_000, cache_write: 600, output: 940, total: 1_221_940 };
const entry = {
  session_id: '66a8c9ee',
  session_name: 'worker',
  context: null,
  day: null,
  tokens,
  cost_usd: 3.414,
  unpriced_tokens: 0,
};
const view = (part: Partial<CostView> = {}): CostView => ({
  by: 'session',
  since: null,
  entries: [entry],
  total: { tokens, cost_usd: 3.414, unpriced_tokens: 0 },
  unpriced_models: [],
  ...part,
});

test('cost: a line for each session, with what it used and what that cost', async () => {
  const { code, out } = await sm({ 'GET /cost': view() }, ['cost']);
  expect(code).toBe(0);
  expect(out).toBe(
    [
      'SESSION            INPUT  CACHED  OUTPUT  TOKENS  COST',
      'worker (66a8c9ee)  21k    1.2M    940     1.2M    $3.41',
      '',
    ].join('\n'),
  );
});

test('cost: what nobody knows is not made up, and how to make it known is said', async () => {
  const unpriced = { ...entry, session_name: 'other', cost_usd: null, unpriced_tokens: 1_221_940 };
  const { out } = await sm(
    {
      'GET /cost': view({
        entries: [entry, unpriced],
        total: { tokens, cost_usd: 3.414, unpriced_tokens: 1_221_940 },
        unpriced_models: ['gpt-next'],
      }),
    },
    ['cost'],
  );
  expect(out).toMatch(/^other .* \?$/m);
  expect(out).toMatch(/^total .* \$3\.41 \+ \?$/m);
  expect(out).toContain('there is no price for gpt-next.\n');
  expect(out).toContain('prices: { MODEL: { input: N, output: N } }\n');
});

test('cost: by day and by context', async () => {
  const day = { ...entry, session_id: null, session_name: null, day: '2026-11-16' };
  const days = await sm({ 'GET /cost?by=day': view({ by: 'day', entries: [day] }) }, ['cost', '--by', 'day']);
  expect(days.out).toMatch(/^2026-11-16 /m);
  const contexts = await sm(
    { 'GET /cost?by=context': view({ by: 'context', entries: [{ ...entry, context: 2 }] }) },
    ['cost', '--by', 'context'],
  );
  expect(contexts.out).toMatch(/^worker \(66a8c9ee\) 2 /m);
});

test('cost: nothing yet, and what it does not take', async () => {
  const none = await sm({ 'GET /cost': view({ entries: [] }) }, ['cost']);
  expect(none.out).toBe('Nothing was used, as far as the agents have told.\n');
  const bad = await sm({}, ['cost', '--by', 'moon']);
  expect([bad.code, bad.err]).toEqual([1, 'Error: --by takes session, context, family, day, not "moon".\n']);
});

// What a daemon would tell of contexts, for tests.
import type { ContextView, CurveView } from '../../src/protocol/context.ts';

export const curve = (changes: Partial<CurveView> = {}): CurveView => ({
  session_id: '66a8c9ee',
  name: 'worker',
  phase: 'working',
  context: 1,
  used_percentage: 42,
  tokens: 84_000,
  window_size: 200_000,
  model: 'opus',
  cost_usd: 1.234,
  marks: { warning: 50, critical: 65, monitored: true },
  cycle_began_at: '2025-01-02T10:00:00.000Z',
  at: '2025-01-02T12:00:00.000Z',
  samples: [],
  moments: [],
  more: false,
  forecast: { is: 'expected', in_seconds: 2_400, points_per_hour: 34.5, why: null },
  ...changes,
});

export const context = (number: number, changes: Partial<ContextView> = {}): ContextView => ({
  number,
  provider_id: `c${number}`,
  present: false,
  began_at: '2025-01-02T10:00:00.000Z',
  began_by: 'clear',
  ended_at: '2025-01-02T11:00:00.000Z',
  ended_by: 'clear',
  ended_by_actor: null,
  ended_why: null,
  peak_percentage: null,
  peak_tokens: null,
  cost_usd: null,
  compactions: 0,
  ...changes,
});

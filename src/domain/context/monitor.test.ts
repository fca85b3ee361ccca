// What the history keeps of the samples.
import { expect, test } from 'vitest';
import { type TestSession, workingSession } from '../../../test/support/session.ts';

const usage = (percentage: number) => ({
  is: 'usage' as const,
  providerId: 'c1',
  usage: {
    percentage,
    tokens: percentage * 2_000,
    windowSize: 200_000,
    model: null,
    costUsd: percentage / 10,
  },
});
const kept = (s: TestSession) =>
  s.eventsOf('usage sampled').map(({ context, percentage }) => `${context}: ${percentage}`);

test('a sample for each whole point of growth or loss', () => {
  const s = workingSession();
  for (const percentage of [10, 10.4, 11, 11.9, 14, 13.2, 13.9]) s.hear(usage(percentage));
  expect(kept(s)).toEqual(['1: 10', '1: 11', '1: 14', '1: 13.2']);
  expect(s.eventsOf('usage sampled')[1]).toMatchObject({ tokens: 22_000, costUsd: 1.1 });
});

test('and the last one before a compaction, once', () => {
  const s = workingSession();
  s.hear(usage(70));
  s.hear(usage(70.6));
  s.hear({ is: 'compaction-began' });
  s.hear({ is: 'compaction-began' });
  s.hear({ is: 'compaction-ended' });
  s.wait(1);
  s.hear(usage(12));
  expect(kept(s)).toEqual(['1: 70', '1: 70.6', '1: 12']);
});

test('before a new context, as one of the old', () => {
  const s = workingSession();
  s.hear(usage(30));
  s.hear(usage(30.5));
  s.hear({ is: 'context-ended', reason: 'clear' });
  s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
  expect(s.state.session.context.number).toBe(2);
  expect(kept(s)).toEqual(['1: 30', '1: 30.5']);
});

test('and before the end of its agent', () => {
  const s = workingSession();
  s.hear(usage(30));
  s.hear(usage(30.5));
  s.hear({ is: 'process-exited', code: 0, signal: null, screen: '' });
  expect(kept(s)).toEqual(['1: 30', '1: 30.5']);
});

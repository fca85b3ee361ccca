import { expect, test } from 'vitest';
import { forecast, type Point } from './forecast.ts';

const minute = 60_000;
/** One sample a minute. */
const each = (...percentages: number[]): Point[] =>
  percentages.map((percentage, i) => ({ at: i * minute, percentage }));

test('a context that grows by a point a minute reaches the mark in as many minutes as points are left', () => {
  const told = forecast(each(20, 21, 22, 23, 24, 25), 25, 65);
  expect(told).toMatchObject({ is: 'expected' });
  if (told.is !== 'expected') return;
  expect(told.in / minute).toBeCloseTo(40);
  expect(told.pace).toBeCloseTo(60);
});

test('one big file that was read, or a pause, does not move the pace much', () => {
  const big = forecast(each(20, 21, 22, 23, 24, 40, 41, 42, 43, 44), 44, 65);
  expect(big.is === 'expected' && big.pace).toBeLessThan(3 * 60);
  const paused = [...each(20, 21, 22, 23, 24, 25, 26, 27), { at: 10 * 60 * minute, percentage: 28 }];
  const after = forecast(paused, 28, 65);
  expect(after.is === 'expected' && after.pace).toBeCloseTo(60);
});

test('only the last samples count', () => {
  const slow = Array.from({ length: 30 }, (_, i) => ({ at: i * 10 * minute, percentage: i / 10 }));
  const fast = Array.from({ length: 20 }, (_, i) => ({ at: 300 * minute + i * minute, percentage: 3 + i }));
  const told = forecast([...slow, ...fast], 22, 65);
  expect(told.is === 'expected' && told.pace).toBeCloseTo(60);
});

test('what is not known is not guessed, and it says why', () => {
  expect(forecast(each(20, 21, 22), null, 65)).toMatchObject({ why: 'the usage is unknown' });
  expect(forecast([], 20, 65)).toMatchObject({ is: 'unknown', why: 'needs 3 samples, has 0' });
  expect(forecast(each(20, 21), 21, 65)).toMatchObject({ is: 'unknown' });
  const burst = [0, 1, 2].map((i) => ({ at: i * 1_000, percentage: i * 5 }));
  expect(forecast(burst, 10, 65)).toMatchObject({ why: expect.stringContaining('less than a minute') });
  expect(forecast(each(30, 29, 28), 28, 65)).toMatchObject({ why: 'the context is not growing' });
  expect(
    forecast(
      each(30, 31, 32).map((p) => ({ ...p, at: 5 })),
      32,
      65,
    ),
  ).toMatchObject({ is: 'unknown' });
});

test('a mark that was reached is reached', () => {
  expect(forecast([], 65, 65)).toEqual({ is: 'reached' });
});

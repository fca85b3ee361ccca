import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

afterEach(() => vi.restoreAllMocks());

it('tells the wall clock', () => {
  expect(Math.abs(systemClock().now() - Date.now())).toBeLessThan(100);
});

it('goes on from what was told last when the wall clock was set back, also in the next daemon', () => {
  const hour = 3_600_000;
  const last = Date.now() + 2 * hour;
  const clock = systemClock(last);
  const first = clock.now();
  expect(first).toBeGreaterThanOrEqual(last);
  expect(clock.now()).toBeGreaterThanOrEqual(first);
  expect(clock.now()).toBeLessThan(last + hour);
});

it('follows the wall clock when that runs ahead', () => {
  const clock = systemClock();
  const before = clock.now();
  const wall = vi.spyOn(Date, 'now').mockReturnValue(before + 7_200_000);
  expect(clock.now()).toBeGreaterThanOrEqual(before + 7_200_000);
  wall.mockReturnValue(before);
  expect(clock.now()).toBeGreaterThanOrEqual(before + 7_200_000);
});

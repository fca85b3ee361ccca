import { expect, it } from 'vitest';
import { curvePaths, placeOn } from './curve.ts';

const sample = (seconds: number, percentage: number, context = 1) => ({
  at: new Date(seconds * 1000).toISOString(),
  context,
  percentage,
  tokens: null,
});

it('holds each level until the next sample, and the last to the edge', () => {
  const samples = [sample(0, 10), sample(50, 30), sample(100, 20)];
  expect(curvePaths(samples, { from: 0, to: 200_000 })).toEqual(['M0 90H25V70H50V80H100']);
});

it('begins anew with every context', () => {
  const samples = [sample(0, 60), sample(50, 10, 2)];
  expect(curvePaths(samples, { from: 0, to: 100_000 })).toEqual(['M0 40', 'M50 90H100']);
});

it('knows a range of one moment', () => {
  expect(placeOn(5, { from: 5, to: 5 })).toBe(100);
  expect(curvePaths([], { from: 0, to: 1 })).toEqual([]);
});

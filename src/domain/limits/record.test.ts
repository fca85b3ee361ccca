// How fast an account uses up a window of its limits, and when nothing will be left, in virtual time.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventNamed } from '../core/event.ts';
import { type LimitRecord, limitAfter, reachedAt, usedNow } from './record.ts';

const hour = 3_600_000;
const told = (used: number, resetsAt: number | null = 5 * hour): EventNamed<'limit told'> => ({
  type: 'limit',
  step: 'told',
  account: '/a',
  window: '5h',
  used,
  resetsAt,
});

/** What is known after these were told, each at its time. */
const after = (...all: readonly (readonly [number, number, (number | null)?])[]): LimitRecord =>
  all.reduce<LimitRecord | undefined>(
    (record, [at, used, resetsAt = 5 * hour]) => limitAfter(record, told(used, resetsAt), at),
    undefined,
  ) as LimitRecord;

test('the pace is in points per hour, and says when nothing will be left', () => {
  const record = after([0, 10], [hour / 2, 25], [hour, 40]);
  expect(reachedAt(record, hour)).toEqual({ is: 'expected', pace: 30, in: 2 * hour });
});

test('at a slower pace, it resets before that', () => {
  const record = after([0, 10], [hour, 15], [2 * hour, 20]);
  expect(reachedAt(record, 2 * hour)).toEqual({ is: 'not-before-reset', pace: 5 });
});

test('all of it used is reached; after the reset nobody knows', () => {
  const record = after([0, 80], [hour, 100]);
  expect(reachedAt(record, hour)).toEqual({ is: 'reached' });
  expect(usedNow(record, 5 * hour)).toBeNull();
  expect(reachedAt(record, 5 * hour).is).toBe('unknown');
});

test('a new time begins with a later reset, or with less used: what was before says nothing of its pace', () => {
  const later = after([0, 60], [hour, 90], [5 * hour, 95, 10 * hour]);
  expect(later.samples).toHaveLength(1);
  const less = after([0, 60], [hour, 90], [5 * hour, 2, 10 * hour]);
  expect([less.used, less.samples.length]).toEqual([2, 1]);
});

test('another session of the account that tells what was true a moment ago changes nothing', () => {
  const record = after([0, 10], [60_000, 30]);
  expect(limitAfter(record, told(12), 61_000)).toBe(record);
});

test('with a steady use, the forecast is right to a second, whenever the samples come', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 59 }), { minLength: 3, maxLength: 20 }),
      fc.integer({ min: 21, max: 60 }),
      (minutes, pace) => {
        const samples = [...minutes]
          .sort((a, b) => a - b)
          .map((minute) => [minute * 60_000, (pace * minute) / 60] as const);
        const record = after(...samples);
        const reached = reachedAt(record, record.at);
        expect(reached.is).toBe('expected');
        if (reached.is === 'expected')
          expect(Math.abs(record.at + reached.in - (100 / pace) * hour)).toBeLessThan(1_000);
      },
    ),
  );
});

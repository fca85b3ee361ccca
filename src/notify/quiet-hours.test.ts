import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const at = (hour: number, minute = 0, day = 10) => new Date(2026, 5, day, hour, minute).getTime();
const night = { from: 22 * 60, to: 7 * 60 };

it('over midnight, they end in the morning', () => {
  expect(quietUntil(night, at(23))).toBe(at(7, 0, 11));
  expect(quietUntil(night, at(3))).toBe(at(7));
  expect(quietUntil(night, at(7))).toBeNull();
  expect(quietUntil(night, at(21, 59))).toBeNull();
});

it('within a day, they end on that day', () => {
  const lunch = { from: 12 * 60, to: 13 * 60 + 30 };
  expect(quietUntil(lunch, at(13))).toBe(at(13, 30));
  expect(quietUntil(lunch, at(13, 30))).toBeNull();
});

it('end in the future, within a day, at a time that is not one of them', () => {
  const minute = fc.integer({ min: 0, max: 1_439 });
  fc.assert(
    fc.property(minute, minute, fc.integer({ min: at(0), max: at(0, 0, 300) }), (from, to, now) => {
      const until = quietUntil({ from, to }, now);
      if (until === null) return;
      expect(until).toBeGreaterThan(now);
      expect(until - now).toBeLessThanOrEqual(25 * 3_600_000);
      expect(quietUntil({ from, to }, until)).toBeNull();
    }),
  );
});

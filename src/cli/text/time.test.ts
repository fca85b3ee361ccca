import { expect, it } from 'vitest';
import { shortClock } from './time.ts';

it('says the time of today, and the day of everything before', () => {
  const now = new Date(2025, 0, 2, 12, 0).getTime();
  expect(shortClock(new Date(2025, 0, 2, 9, 5).toISOString(), now)).toBe('09:05');
  const days = [0, 4, 11].map((month) => shortClock(new Date(2024, month, 31, 9).toISOString(), now));
  expect(days).toEqual(['31 Jan', '31 May', '31 Dec']);
  const lateEvening = new Date(2025, 0, 2, 23, 30).getTime();
  const at = (day: number, hour: number) =>
    shortClock(new Date(2025, 0, day, hour).toISOString(), lateEvening);
  expect([at(3, 1), at(4, 1), at(1, 23)]).toEqual(['01:00', '4 Jan', '1 Jan']);
  expect(shortClock('never', now)).toBe('?');
});

import { expect, it } from 'vitest';
import { brokenChannels } from './channels.ts';

it('names those that do not work', () => {
  expect(brokenChannels([])).toBeNull();
  expect(brokenChannels(['team'])).toBe('team cannot tell you anything');
  expect(brokenChannels(['a', 'b', 'c'])).toBe('a, b and c cannot tell you anything');
});

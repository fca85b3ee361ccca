import { expect, it } from 'vitest';
import { brokenChannels } from './channels.ts';

const channel = (name: string, problem: string | null = 'x') => ({ name, problem });

it('names those that do not work', () => {
  expect(brokenChannels([])).toBeNull();
  expect(brokenChannels([channel('phone', null)])).toBeNull();
  expect(brokenChannels([channel('phone', null), channel('team')])).toBe('team cannot tell you anything');
  expect(brokenChannels([channel('a'), channel('b'), channel('c')])).toBe(
    'a, b and c cannot tell you anything',
  );
});

import { expect, test } from 'vitest';
import { statusCommands } from './status.ts';

test('a name in the status line is shown as it is', () => {
  const titles = new Map([['sm-1', 'a #[bg=red]\x1b[2J']]);
  expect(statusCommands({ counts: '1●', next: null, titles })).toEqual([
    ['set-option', '-gq', '@sm-counts', '1●'],
    ['set-option', '-gq', '@sm-next', ''],
    ['set-option', '-q', '-t', '=sm-1:', '@sm-title', 'a ##[bg=red] [2J'],
  ]);
});

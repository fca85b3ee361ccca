import { expect, test } from 'vitest';
import { selfContainedRows } from './styled-rows.ts';

test('a style that goes on in the next row is said again there, and each row ends plain', () => {
  expect(selfContainedRows(['a\x1b[2m\x1b[31mb', '', 'c', '\x1b[39md\x1b[0m', 'e'])).toEqual([
    'a\x1b[2m\x1b[31mb\x1b[0m',
    '',
    '\x1b[2m\x1b[31mc\x1b[0m',
    '\x1b[2m\x1b[31m\x1b[39md\x1b[0m',
    'e',
  ]);
});

test('a row that begins with a reset needs nothing from before', () => {
  expect(selfContainedRows(['\x1b[7m ', '\x1b[0mplain', 'too'])).toEqual(['\x1b[7m \x1b[0m', 'plain', 'too']);
});

test('only the last colour of each kind counts', () => {
  const row = '\x1b[38;5;1ma\x1b[91mb\x1b[48;2;1;2;3mc\x1b[104md\x1b[58;5;3me\x1b[59mf';
  expect(selfContainedRows([row, 'g'])[1]).toBe('\x1b[91m\x1b[104mg\x1b[0m');
});

import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const words = ['send', 'spawn', 'status', 'all', 'me', 'em', 'children', 'context', 'contexts'];

test.each([
  ['snd', 'send'],
  ['sned', 'send'],
  ['stauts', 'status'],
  ['chidlren', 'children'],
  ['al', 'all'],
  ['contxt', 'context'],
  ['chil', 'children'],
])('%s is probably %s', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

test('letters that have changed places are one mistake, and so nearer than two', () => {
  expect(nearest('lsat', ['last', 'lust'])).toBe('last');
});

test.each(['x', 'frobnicate', ''])('"%s" is like none of them', (word) => {
  expect(nearest(word, words)).toBeUndefined();
});

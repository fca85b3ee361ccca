import { expect, it } from 'vitest';
import { termsOf } from './search-terms.ts';

it('words, phrases and beginnings', () => {
  expect(termsOf('login "two  words" auth*')).toEqual({
    terms: [
      { words: ['login'], prefix: false },
      { words: ['two', 'words'], prefix: false },
      { words: ['auth'], prefix: true },
    ],
  });
});

it('signs part words, and a sign alone is none', () => {
  expect(termsOf('login_page.ts - AND')).toEqual({
    terms: [
      { words: ['login', 'page', 'ts'], prefix: false },
      { words: ['AND'], prefix: false },
    ],
  });
});

it('a quote that is never closed is left out', () => {
  expect(termsOf('"two words')).toEqual({
    terms: [
      { words: ['two'], prefix: false },
      { words: ['words'], prefix: false },
    ],
  });
});

it.each([
  ['', 'at least one word'],
  ['-- * ""', 'at least one word'],
  ['a*', 'at least 3 letters'],
  ['w '.repeat(30), 'at most 20 words'],
])('%j is refused', (given, why) => {
  expect(termsOf(given)).toEqual({ fault: expect.stringContaining(why) });
});

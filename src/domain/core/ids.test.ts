import { expect, test } from 'vitest';
import { isId, isName } from './ids.ts';

test.each(['35c21191', 's1', 'nobody', '12.34-0b5c0a4e-1d2f-4a3b-8c9d-0e1f2a3b4c5d', 'r12'])(
  '%s can be an id',
  (id) => {
    expect(isId(id)).toBe(true);
  },
);

const paths = [
  '',
  '.',
  '..',
  '../../x',
  '/etc',
  'a/b',
  'a\\b',
  '.hidden',
  '-rf',
  'a b',
  'a\0b',
  'a\nb',
  'é',
  'x'.repeat(101),
];
test.each(paths)('%j cannot be an id', (id) => {
  expect(isId(id)).toBe(false);
});

test('a name may have blanks and any letters, and no slashes or control characters', () => {
  expect(['the lead', 'José 2', 'a:b+c@d.e_f-g'].every(isName)).toBe(true);
  expect(['', '..', 'a/b', ' a', 'a\u001b[31m', 'x'.repeat(65)].some(isName)).toBe(false);
});

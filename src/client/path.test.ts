import { expect, test } from 'vitest';
import { filledPath, queryText } from './path.ts';

test('whatever the name of a session, it is one step of the path', () => {
  expect(filledPath('/sessions/{ref}/input', { ref: 'a/b ?' })).toBe('/sessions/a%2Fb%20%3F/input');
  expect(filledPath('/messages/{id}', { id: '#0123abcd' })).toBe('/messages/0123abcd');
  expect(filledPath('/sessions', {})).toBe('/sessions');
});

test.each(['', '.', '..', 'x'.repeat(201)])('%j names nothing, and is not sent', (ref) => {
  expect(() => filledPath('/sessions/{ref}', { ref })).toThrow(
    expect.objectContaining({ status: 404, code: 'not-found' }),
  );
});

test('a query has what was given, and nothing that is not', () => {
  expect(queryText({ session: 'a&b', after: 0, last: true, wait: undefined, views: false })).toBe(
    '?session=a%26b&after=0&last=true',
  );
  expect(queryText({ views: false })).toBe('');
});

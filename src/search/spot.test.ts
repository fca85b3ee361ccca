import { expect, it } from 'vitest';
import type { Term } from '../ports/search.ts';
import { spotIn } from './spot.ts';

const term = (words: string, prefix = false): Term => ({ words: words.split(' '), prefix });

it('shows the words around the first of the terms, on one line', () => {
  const text = `${'before '.repeat(20)}\n\nthe Login page\tis here ${'after '.repeat(30)}`;
  const { snippet, matched, line } = spotIn(text, [term('page'), term('login')]);
  expect(matched).toBe('Login');
  expect(snippet).toMatch(/^…before .* the Login page is here after .*…$/);
  expect(snippet.length).toBeLessThan(170);
  expect(line).toBe(3);
});

it('a whole short text stays whole', () => {
  expect(spotIn('fix login', [term('login')])).toEqual({ snippet: 'fix login', matched: 'login', line: 1 });
});

it('a word inside of another does not count, a beginning does', () => {
  expect(spotIn('logins login', [term('login')]).matched).toBe('login');
  expect(spotIn('xlog logins', [term('log', true)]).matched).toBe('logins');
});

it('phrases go over signs, and marks do not matter', () => {
  expect(spotIn('src/login_page.ts', [term('login page')]).matched).toBe('login_page');
  expect(spotIn('das Café dort', [term('cafe')]).matched).toBe('Café');
});

it('a text in which the words are not seen is shown from its beginning', () => {
  expect(spotIn('nothing here', [term('word')])).toEqual({ snippet: 'nothing here', matched: '', line: 1 });
});

it('no character is cut in half', () => {
  const { snippet } = spotIn(`${'😀'.repeat(200)} word ${'😀'.repeat(200)}`, [term('word')]);
  expect(snippet.isWellFormed()).toBe(true);
});

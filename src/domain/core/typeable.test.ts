import { describe, expect, it } from 'vitest';
import { typeable, whereItIs } from './typeable.ts';

describe('what can be typed', () => {
  it.each([
    'plain',
    'a "quoted" $HOME `id` ;',
    'Enter',
    'C-c',
    '-leading',
    '/clear',
    '!ls',
    '#x',
    'two\nlines',
    'ünï 你好 🎉',
    '',
  ])('goes as it is: %j', (text) => {
    expect(typeable(text)).toBe(text);
  });

  it('shows control characters as their pictures', () => {
    expect(typeable('a\0b\x1b[31mc\x7f\x07')).toBe('a␀b␛[31mc␡␇');
  });

  it('shows tabs as four blanks, and every kind of line end as one', () => {
    expect(typeable('a\tb\r\nc\rd')).toBe('a    b\nc\nd');
  });

  it('replaces what is no character at all', () => {
    expect(typeable('x\ud800y\x9b')).toBe('x\ufffdy\ufffd');
  });

  it('names the file with the exact text', () => {
    expect(whereItIs('/state/messages/1.txt')).toMatch(/^\[sm\] .* \/state\/messages\/1\.txt$/);
  });
});

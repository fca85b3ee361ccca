import { expect, test } from 'vitest';
import { KeyReader } from '../screen/keys.ts';
import { typedBy } from './terminal-elsewhere.ts';

const typed = (bytes: string) => {
  const reader = new KeyReader();
  return [...reader.read(bytes), ...reader.flush()].map(typedBy);
};

test.each([
  ['a', [{ text: 'a' }]],
  ['+', [{ text: '+' }]],
  ['é', [{ text: 'é' }]],
  ['\r', [{ key: 'Enter' }]],
  ['\x03', [{ key: 'C-c' }]],
  ['\x1b', [{ key: 'Escape' }]],
  ['\x1bx', [{ key: 'M-x' }]],
  ['\x1b[A', [{ key: 'Up' }]],
  ['\x1b[1;5C', [{ key: 'C-Right' }]],
  ['\x1b[Z', [{ key: 'BTab' }]],
  ['\x7f', [{ key: 'BSpace' }]],
  ['\x1b[200~two\r\nlines\x1b[201~', [{ paste: 'two\nlines' }]],
  ['\x1b[<0;3;4M', [null]],
])('%j', (bytes, keys) => {
  expect(typed(bytes)).toEqual(keys);
});

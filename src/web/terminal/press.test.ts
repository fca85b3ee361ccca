import { expect, it } from 'vitest';
import { type Pressed, typedBy } from './press.ts';

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

it.each([
  [pressed('a'), { text: 'a' }],
  [pressed('A', { shiftKey: true }), { text: 'A' }],
  [pressed('ß'), { text: 'ß' }],
  [pressed('c', { ctrlKey: true }), { key: 'C-c' }],
  [pressed('b', { altKey: true }), { key: 'M-b' }],
  [pressed('@', { ctrlKey: true, altKey: true }), { text: '@' }],
  [pressed('Enter'), { key: 'Enter' }],
  [pressed('Tab', { shiftKey: true }), { key: 'BTab' }],
  [pressed('ArrowUp', { ctrlKey: true }), { key: 'C-Up' }],
  [pressed('F5'), { key: 'F5' }],
  [pressed(' ', { ctrlKey: true }), { key: 'C-Space' }],
])('%j is typed as %j', (event, typed) => {
  expect(typedBy(event)).toEqual(typed);
});

it.each([
  pressed('Shift'),
  pressed('Dead'),
  pressed('Process', { isComposing: true }),
  pressed('a', { isComposing: true }),
  pressed('Unidentified', { keyCode: 229 }),
  pressed('Enter', { keyCode: 229 }),
  pressed('v', { metaKey: true }),
])('%j types nothing', (event) => {
  expect(typedBy(event)).toBeNull();
});

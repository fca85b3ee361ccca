import { expect, it } from 'vitest';
import { spansOf } from './spans.ts';

const esc = '\x1b[';

it('a row without colours is one piece', () => {
  expect(spansOf('hello  world')).toEqual([{ text: 'hello  world', class: '' }]);
  expect(spansOf('')).toEqual([]);
});

it('colours and attributes hold until they are turned off', () => {
  expect(spansOf(`${esc}1;31mred${esc}0m plain ${esc}38;5;208mo${esc}39m${esc}48;2;1;2;3mg${esc}0m`)).toEqual(
    [
      { text: 'red', class: 'b', colour: 'var(--term-1)' },
      { text: ' plain ', class: '' },
      { text: 'o', class: '', colour: 'rgb(255 135 0)' },
      { text: 'g', class: '', background: 'rgb(1 2 3)' },
    ],
  );
});

it('reverse video swaps the colours, also those that are not set', () => {
  expect(spansOf(`${esc}7mx`)).toEqual([
    { text: 'x', class: '', colour: 'var(--pane)', background: 'var(--pane-text)' },
  ]);
  expect(spansOf(`${esc}97;44;7mx`)).toEqual([
    { text: 'x', class: '', colour: 'var(--term-4)', background: 'var(--term-15)' },
  ]);
});

it('what fonts may draw in another width gets its cells', () => {
  expect(spansOf('a⏺b日本│')).toEqual([
    { text: 'a', class: '' },
    { text: '⏺', class: '', cells: expect.any(Number) },
    { text: 'b', class: '' },
    { text: '日', class: '', cells: 2 },
    { text: '本', class: '', cells: 2 },
    { text: '│', class: '' },
  ]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, columnsOf, cutStart, cutTo, glyphs, wrap } from './cells.ts';

const odd = [
  '日本語',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '❤️',
  '한국',
  'ｆｕｌｌ',
  '\u200b',
  'ไทย',
  'न्दी',
  '✓',
  '—',
  '👍🏽',
  'ﷺ',
  '\t',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 4 })))
  .map((parts) => parts.join(''));

describe('a text', () => {
  it('never takes more columns than it is cut to', () => {
    fc.assert(
      fc.property(text, fc.nat(30), (given, columns) => {
        expect(columnsOf(cutTo(given, columns))).toBeLessThanOrEqual(columns);
        expect(columnsOf(cutStart(given, columns))).toBeLessThanOrEqual(columns);
        for (const line of wrap(given, Math.max(2, columns)))
          expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(2, columns));
      }),
    );
  });

  it('is as wide as its cells', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(cellsOf(given, 'true')).toHaveLength(columnsOf(given));
      }),
    );
  });

  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧‍👦', 2],
    ['a\u0007b', 2],
  ])('%j takes %i columns', (given, columns) => expect(columnsOf(given)).toBe(columns));

  it.each([
    ['👩‍👩‍👧‍👦', '👩'],
    ['👍🏽', '👍'],
    ['❤️', '❤'],
    ['1️⃣', '1'],
    ['🇩🇪', 'D E'],
    ['क्षि', 'क् ष ि'],
    ['a\u200d', 'a'],
  ])('%s is drawn so that all terminals agree on its columns', (given, drawn) =>
    expect([...glyphs(given)].map(([glyph]) => glyph).join(' ')).toBe(drawn),
  );

  it('is cut at its end, or, where the end matters, at its beginning', () => {
    expect(cutTo('one two three', 8)).toBe('one two…');
    expect(cutStart('web·feature/login', 8)).toBe('…e/login');
    expect(cutTo('日本語', 4)).toBe('日…');
    expect(cutTo('abc', 0)).toBe('');
  });

  it('is broken at blanks', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('a\n\nb', 8)).toEqual(['a', '', 'b']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });
});

describe('a captured row', () => {
  const shown = (row: string) => cellsOf(row, '256').map(({ glyph, style }) => [glyph, style]);

  it('keeps its colours, as many as the terminal has', () => {
    expect(shown('\x1b[1;31ma\x1b[0mb')).toEqual([
      ['a', '1;31'],
      ['b', ''],
    ]);
    expect(shown('\x1b[38;2;255;0;0mx')).toEqual([['x', '38;5;196']]);
    expect(cellsOf('\x1b[38;2;255;0;0mx', '16')).toEqual([{ glyph: 'x', style: '91' }]);
    expect(cellsOf('\x1b[38;2;255;0;0mx', 'none')).toEqual([{ glyph: 'x', style: '' }]);
    expect(cellsOf('\x1b[48;5;236;1mx', 'true')).toEqual([{ glyph: 'x', style: '1;48;5;236' }]);
    expect(cellsOf('\x1b[4:3mx\x1b[24my', 'true')).toEqual([
      { glyph: 'x', style: '4' },
      { glyph: 'y', style: '' },
    ]);
  });

  it('loses whatever else it contains that a terminal would act upon', () => {
    expect(shown('a\x1b]8;;http://x\x1b\\b\x1b[2Jc\x07d').map(([glyph]) => glyph)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('draws lines as the terminals of old did', () => {
    expect(
      shown('\x0elqk\x0f lqk')
        .map(([glyph]) => glyph)
        .join(''),
    ).toBe('┌─┐ lqk');
  });
});

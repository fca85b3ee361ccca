import { expect, test } from 'vitest';
import { coloursFor } from './colours.ts';
import { oneLine, safeJson, safeText } from './safe.ts';
import { tableLines } from './table.ts';
import { ago, clock } from './time.ts';
import { cut, padEnd, textWidth } from './width.ts';

test('nothing that a terminal acts upon comes through', () => {
  expect(safeText('a\u001b[31mred\u0007\u009b2J\u007f')).toBe('a␛[31mred␇�2J␡');
  expect(safeText('abc\u202edef\u2066')).toBe('abc�def�');
  expect(safeText('two\r\nlines\tx\rover')).toBe('two\nlines    x␍over');
  expect(oneLine('  a\n b\t\tc\u001b ')).toBe('a b c␛');
});

test('JSON says the same without bytes that a terminal acts upon', () => {
  const value = { name: 'a\u001b[2J\u009b\u007f\u202e日本\n' };
  expect(safeJson(value)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(JSON.parse(safeJson(value))).toEqual(value);
});

test('wide characters, emoji and combining marks take the room that they take', () => {
  expect(textWidth('plain')).toBe(5);
  expect(textWidth('日本語')).toBe(6);
  expect(textWidth('한글')).toBe(4);
  expect(textWidth('e\u0301')).toBe(1);
  for (const emoji of ['🚀', '👩‍💻', '🇩🇪', '❤️', '👍🏽']) expect(textWidth(emoji)).toBe(2);
  expect(padEnd('日本', 6)).toBe('日本  ');
});

test('a text is cut between characters, with a sign that something is missing', () => {
  expect(cut('short', 5)).toBe('short');
  expect(cut('longer', 5)).toBe('long…');
  expect(cut('日本語', 5)).toBe('日本…');
  expect(cut('日本語', 4)).toBe('日…');
  expect(cut('👩‍💻👩‍💻', 3)).toBe('👩‍💻…');
});

test('a table aligns, leaves out empty columns, and fits', () => {
  const rows = [
    ['日本', '', 'x'.repeat(40)],
    ['name', '', 'short'],
  ].map((row) => row.map((text) => ({ text })));
  expect(tableLines(['A', 'B', 'C'], rows)).toEqual(['A     C', `日本  ${'x'.repeat(40)}`, 'name  short']);
  const narrow = tableLines(['A', 'B', 'C'], rows, 30);
  expect(narrow[1]).toBe(`日本  ${'x'.repeat(23)}…`);
  expect(Math.max(...tableLines(['A', 'B', 'C'], rows, 15).map(textWidth))).toBe(15);
});

test('ages and times are those that people say', () => {
  const now = Date.parse('2025-01-02T12:00:00Z');
  const before = (seconds: number) => ago(new Date(now - seconds * 1000).toISOString(), now);
  expect([0, 45, 59, 60, 150, 3600, 90_000].map(before)).toEqual([
    '0s ago',
    '45s ago',
    '59s ago',
    '1m ago',
    '2m ago',
    '1h ago',
    '1d ago',
  ]);
  expect(before(-5)).toBe('0s ago');
  expect(clock(now, now)).toMatch(/^\d\d:\d\d:00$/);
  expect(clock(now - 3 * 86_400_000, now)).toMatch(/^2024-12-\d\d \d\d:\d\d:00$/);
});

test('colours are for terminals whose owner wants them', () => {
  const red = (outputIsTerminal: boolean, env: Record<string, string>) =>
    coloursFor({ outputIsTerminal, env }).red('x');
  expect(red(true, {})).toBe('\u001b[31mx\u001b[39m');
  for (const plain of [red(false, {}), red(true, { NO_COLOR: '1' }), red(true, { TERM: 'dumb' })]) {
    expect(plain).toBe('x');
  }
});

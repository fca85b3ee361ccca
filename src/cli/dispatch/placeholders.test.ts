import { expect, test } from 'vitest';
import { fill, keysIn } from './placeholders.ts';

const filled = (template: string, values: Record<string, string> = {}) =>
  fill(template, new Map(Object.entries(values)));

test('keys are found once each, in their order', () => {
  expect(keysIn('{b} {a-1} {b} {c_d} {{e}}')).toEqual(['b', 'a-1', 'c_d']);
});

test('every other brace is text', () => {
  const text = 'f() { return {"a":{"b":[]}}; } {} {{}} { x } {1} {a b} {{ secrets.x }}';
  expect(keysIn(text)).toEqual([]);
  expect(filled(text)).toBe(text);
});

test('a doubled placeholder is the placeholder as text, however deep', () => {
  expect(filled('{{key}} {{{key}}} {key}', { key: 'v' })).toBe('{key} {{key}} v');
});

test('a value is text: neither its braces nor its dollars mean anything', () => {
  expect(filled('<{a}|{b}>', { a: '{b} $& $1 {{a}}', b: '' })).toBe('<{b} $& $1 {{a}}|>');
});

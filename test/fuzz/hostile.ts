// What an attacker, a crash or another version may send: values out of nothing, and good ones that were changed.
import type { Dice } from './dice.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const texts = [
  ...[
    '',
    ' ',
    '\n',
    '\0',
    '\u001b[2J\u001b[31m',
    '\u001b]0;title\u0007',
    '\u009b1A',
    '\r\nx: y',
    '\u202e',
    '\ud800',
  ],
  ...[
    '../../etc/passwd',
    '/dev/zero',
    '~',
    '-rf',
    '--help',
    '; rm -rf .',
    '$(id)',
    '`id`',
    '%s%n',
    '#{pid}',
    '\'"`',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '0',
    '-1',
    'true',
  ],
  ...[
    '1970-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    'not a date',
    '[sm] from x #00000000:',
    'tag:',
    'children:',
  ],
  ...['日本語', 'e\u0301', '👩‍💻', 'a'.repeat(300), '🏳️‍🌈'.repeat(100)],
];
const numbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
  5e-324,
  8_640_000_000_000_001,
];
const keys = [
  'type',
  'is',
  'id',
  'message',
  'text',
  'content',
  'params',
  'turn',
  'length',
  '__proto__',
  'constructor',
];

export function hostileText(d: Dice): string {
  if (d.once(400)) return d.pick(texts).repeat(d.below(2_000));
  return d.once(3) ? d.pick(texts) + d.pick(texts) : d.pick(texts);
}

export function hostileJson(d: Dice, depth = 0): Json {
  switch (d.below(depth > 4 ? 4 : 7)) {
    case 0:
      return null;
    case 1:
      return d.once(2);
    case 2:
      return d.pick(numbers);
    case 3:
      return hostileText(d);
    case 4:
      return Array.from({ length: d.below(4) }, () => hostileJson(d, depth + 1));
    case 5:
      return Object.fromEntries(
        Array.from({ length: d.below(4) }, () => [d.pick(keys), hostileJson(d, depth + 1)]),
      );
    default:
      return deep(d.once(50) ? 3_000 : d.below(20));
  }
}

function deep(levels: number): Json {
  let value: Json = 1;
  for (let i = 0; i < levels; i += 1) value = i % 2 ? [value] : { message: value };
  return value;
}

/** The same value with one part of it changed. */
export function changed(d: Dice, value: Json): Json {
  if (d.once(6) || value === null || typeof value !== 'object') return hostileJson(d);
  if (Array.isArray(value)) {
    const at = d.below(value.length + 1);
    const part = value[at];
    if (part === undefined || d.once(4)) return [...value.slice(0, at), hostileJson(d), ...value.slice(at)];
    return [...value.slice(0, at), ...(d.once(4) ? [] : [changed(d, part)]), ...value.slice(at + 1)];
  }
  const entries = Object.entries(value);
  const at = d.below(entries.length + 1);
  const entry = entries[at];
  if (!entry) return Object.fromEntries([...entries, [d.pick(keys), hostileJson(d)]]);
  const [key, part] = entry;
  const now: [string, Json][] = d.once(4) ? [] : [[d.once(12) ? d.pick(keys) : key, changed(d, part)]];
  return Object.fromEntries([...entries.slice(0, at), ...now, ...entries.slice(at + 1)]);
}

/** The same text, torn, doubled, or with something in it. */
export function mangled(d: Dice, text: string): string {
  const from = d.below(text.length + 1);
  const to = Math.min(text.length, from + d.below(d.once(3) ? 200 : 8));
  switch (d.below(6)) {
    case 0:
      return text.slice(0, from);
    case 1:
      return text.slice(0, from) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(from);
    case 3:
      return text.slice(0, from) + hostileText(d) + text.slice(from);
    case 4:
      return text.slice(0, from) + String.fromCharCode(d.below(d.once(2) ? 128 : 0xffff)) + text.slice(to);
    default:
      return mangled(d, mangled(d, text));
  }
}

/** A line of JSON, changed as a value, as a text, both, or not at all. */
export function hostileLine(d: Dice, lines: readonly string[]): string {
  let line = d.pick(lines);
  if (d.once(10)) return line;
  if (d.once(20)) line = JSON.stringify(hostileJson(d));
  else if (!d.once(4)) {
    let value = JSON.parse(line) as Json;
    for (let times = 1 + d.below(3); times > 0; times -= 1) value = changed(d, value);
    line = JSON.stringify(value);
  }
  return d.once(4) ? mangled(d, line) : line;
}

import { expect, test } from 'vitest';
import { parseArguments, wholeNumber } from './arguments.ts';

const specs = {
  name: { value: 'NAME', help: '' },
  lines: { value: 'N', short: 'n', help: '' },
  json: { help: '' },
} as const;
const parse = (...argv: string[]) => parseArguments('spawn', { options: specs }, argv);

test('options and arguments may be mixed', () => {
  expect(parse('a', '--name', 'x', 'b', '--json')).toEqual({
    args: ['a', 'b'],
    options: { name: 'x', lines: undefined, json: true },
    keys: new Map(),
    rest: [],
    help: false,
  });
});

test('a value may be attached', () => {
  expect(parse('--name=a b', '-n5').options).toMatchObject({ name: 'a b', lines: '5' });
  expect(parse('--name=', '-n', '7').options).toMatchObject({ name: '', lines: '7' });
});

test('a text that begins with a dash is a text', () => {
  expect(parse('- first do this', '-- and that', '-').args).toEqual(['- first do this', '-- and that', '-']);
  expect(parse('--', '--json').args).toEqual(['--json']);
});

test('what can be given again is a list', () => {
  const options = { env: { value: 'K=V', many: true, help: '' } } as const;
  const env = (...argv: string[]) => parseArguments('spawn', { options }, argv).options.env;
  expect(env('--env', 'A=1', '--env=B=2')).toEqual(['A=1', 'B=2']);
  expect(env()).toEqual([]);
});

test('what stands behind -- is handed on by a command that does so', () => {
  const given = parseArguments('spawn', { options: specs, handsOn: true }, ['a', '--', '--json', '--', 'b']);
  expect(given).toMatchObject({ args: ['a'], rest: ['--json', '--', 'b'], options: { json: false } });
});

test('an unknown option is refused, with what was probably meant', () => {
  expect(() => parse('--nmae', 'x')).toThrow('sm spawn has no option --nmae. Did you mean --name?');
  expect(() => parse('-x')).toThrow('sm spawn has no option -x.');
  expect(() => parse('--constructor')).toThrow('no option --constructor');
});

test('a value that is missing or not wanted is refused', () => {
  expect(() => parse('--name')).toThrow('--name needs a value: --name NAME');
  expect(() => parse('--json=yes')).toThrow('--json takes no value');
});

test('keys of any name go to the commands that take them', () => {
  const open = (...argv: string[]) => parseArguments('dispatch', { options: specs, takesKeys: true }, argv);
  const { args, options, keys } = open(
    'a',
    '--task',
    '- do it',
    '--json',
    '--spec_file=b=c',
    '--constructor',
    '--x',
  );
  expect(args).toEqual(['a']);
  expect(options).toMatchObject({ json: true, name: undefined });
  expect([...keys]).toEqual([
    ['task', '- do it'],
    ['spec_file', 'b=c'],
    ['constructor', '--x'],
  ]);
  expect(() => open('--task')).toThrow('--task needs a value: --task "TEXT"');
  expect(() => open('--task', '--json')).toThrow('--task needs a value: --task "TEXT" (or --task=--json)');
  expect(() => open('--jsno')).toThrow('--jsno needs a value: --jsno "TEXT". Did you mean --json?');
  expect(() => open('--task=a', '--task', 'b')).toThrow('--task was given twice. Give it once.');
  expect(() => open('-x')).toThrow('sm dispatch has no option -x.');
  expect(() => open('--1', 'x')).toThrow('sm dispatch has no option --1.');
});

test('a number is a whole number', () => {
  expect(wholeNumber('--lines', '12', 1)).toBe(12);
  expect(wholeNumber('--lines', undefined, 50)).toBe(50);
  for (const text of ['', '-1', '1.5', 'many', '9'.repeat(12)]) {
    expect(() => wholeNumber('--lines', text, 1)).toThrow('--lines needs a whole number');
  }
});

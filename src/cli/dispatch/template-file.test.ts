import { expect, test } from 'vitest';
import { parseTemplates } from './template-file.ts';

const parse = (text: string) => parseTemplates(text, 'f.yaml', ['role', 'dry-run']);

test('a role has a template, and perhaps defaults and a line about it', () => {
  const { roles, faults } = parse(
    'roles:\n  a:\n    about: does a\n    template: |\n      Do {x}\n      by {y}\n    defaults: { y: 1.10 }\n  b.2: { template: "{{x}}" }\n',
  );
  expect(faults).toEqual([]);
  expect(roles).toEqual([
    // Not 1.1: everything is text.
    { name: 'a', about: 'does a', template: 'Do {x}\nby {y}\n', defaults: { y: '1.10' } },
    { name: 'b.2', about: null, template: '{{x}}', defaults: {} },
  ]);
});

test('a default may be empty, and a text may be used again', () => {
  const { roles, faults } = parse(
    'roles:\n  a: { template: &t "{x}", defaults: { x: } }\n  b: { template: *t }\n',
  );
  expect(faults).toEqual([]);
  expect(roles).toMatchObject([{ defaults: { x: '' } }, { template: '{x}' }]);
});

test.each(['', '# nothing\n', 'roles:\n', 'roles: {}\n'])('%j has no roles', (text) => {
  expect(parse(text)).toEqual({ roles: [], faults: [] });
});

test.each([
  ['broken YAML', 'roles:\n  a: [\n', /^f\.yaml:\d: /],
  ['a key twice', 'roles:\n  a: { template: x }\n  a: { template: y }\n', /^f\.yaml:3: /],
  ['an unknown key', 'role: {}\n', /^f\.yaml:1: unknown key role \(the file has roles\)$/],
  [
    'an unknown key of a role',
    'roles:\n  a:\n    template: x\n    prompt: y\n',
    /^f\.yaml:4: unknown key a\.prompt/,
  ],
  ['a role without a template', 'roles:\n\n  a: {}\n', /^f\.yaml:3: a needs a template$/],
  ['an empty template', 'roles:\n  a:\n    template: " "\n', /^f\.yaml:3: a needs a template$/],
  [
    'a template that is no text',
    'roles:\n  a:\n    template: [x]\n',
    /^f\.yaml:3: a\.template needs a text\n/,
  ],
  ['a role that is no map', 'roles:\n  a: do it\n', /^f\.yaml:2: a needs keys and values\n/],
  ['a list', '- a\n', /^f\.yaml:1: the file needs keys and values$/],
  [
    'a name that cannot be given',
    'roles:\n  "a b": { template: x }\n',
    /^f\.yaml:2: "a b" is not a valid role name/,
  ],
  [
    'a default that goes nowhere',
    'roles:\n  a:\n    template: x\n    defaults: { y: z }\n',
    /^f\.yaml:4: a\.defaults: the template has no \{y\}$/,
  ],
  [
    'a key that is an option',
    'roles:\n  a:\n    template: "{role}"\n',
    /^f\.yaml:3: a: rename \{role\}: --role is an option of sm dispatch$/,
  ],
])('%s is named with its line', (_, text, message) => {
  expect(parse(text).faults.join('\n')).toMatch(message);
});

test('all faults are named at once', () => {
  expect(parse('x: 1\nroles:\n  a: { y: 2 }\n').faults).toHaveLength(3);
});

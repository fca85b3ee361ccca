import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from './config.ts';

const read = (text: string) => parseConfig(text, 'c.yaml').on;

it('a program for one occasion or several, for all sessions or some', () => {
  expect(
    read(`on:
  - { when: waiting, run: notify-send }
  - { name: page, when: [failed, died], sessions: tag:night, run: [~/bin/page, now], timeout_seconds: 5 }
`),
  ).toEqual([
    { name: 'notify-send', when: ['waiting'], sessions: null, run: ['notify-send'], seconds: 30 },
    {
      name: 'page',
      when: ['failed', 'died'],
      sessions: 'tag:night',
      run: [join(homedir(), 'bin/page'), 'now'],
      seconds: 5,
    },
  ]);
});

it.each([
  ['on: [{ when: sleeping, run: x }]', 'c.yaml:1: on.0.when.0'],
  ['on: [{ when: waiting }]', 'c.yaml:1: on.0.run'],
  ['on:\n  - { when: waiting, run: ./here }', 'c.yaml:2: on.0.run: must begin with the name of a program'],
  ['on:\n  - { when: waiting, run: "rm -r /" }', 'c.yaml:2: on.0.run: must begin with the name of a program'],
  [
    'on:\n  - { when: waiting, run: x }\n  - { when: died, run: x }',
    'c.yaml:3: on.1: another one is called x',
  ],
  ['on: [{ when: waiting, run: x, timeout_seconds: 0 }]', 'c.yaml:1: on.0.timeout_seconds'],
])('%s', (text, fault) => {
  expect(() => read(text)).toThrow(fault);
});

import { expect, test } from 'vitest';
import { type Command, defineCommand } from '../command.ts';
import { groups } from '../commands.ts';
import { shapeOf } from './shape.ts';

const command = (usage: string, options: Command['options'] = {}): Command =>
  defineCommand({ usage, options, run: async () => {} });

/** What can stand at each place, in short. */
function places(usage: string, options?: Command['options']): string[] {
  const { places, repeats } = shapeOf('x', '', command(usage, options));
  const short = places.map(({ words, sessions, list, files, folders }) =>
    [
      ...words,
      ...(sessions ? [list ? 'SESSIONS' : 'SESSION'] : []),
      ...(files ? ['FILE'] : []),
      ...(folders ? ['DIR'] : []),
    ].join(' '),
  );
  return repeats ? [...short, '…'] : short;
}

const file = { file: { value: 'F', help: '' } };
test.each([
  ['', undefined, []],
  ['[--json]', undefined, []],
  ['SESSION allow|deny [TEXT]', undefined, ['SESSION', 'allow deny', '']],
  ['SESSION[,SESSION…] TEXT|-|--file F [--important|--urgent] [--remind [N]]', file, ['SESSIONS', '']],
  ['[claude|codex-app] PROMPT|-|--file F [--name NAME]', file, ['claude codex-app', '']],
  ['SESSION…', undefined, ['SESSION', '…']],
  ['[DIR] [--no-attach]', undefined, ['DIR']],
  ['FILE | --auto FILE | --show [SESSION] [--json]', { auto: { help: '' } }, ['SESSION FILE']],
  [
    'SECONDS TEXT [--for S] | SESSION --stop | --cancel ID',
    { cancel: { value: 'ID', help: '' } },
    ['SESSION', ''],
  ],
  [
    'SESSION --role ROLE [--KEY TEXT …] [--no-clear [--urgent]] | --list',
    { role: { value: 'ROLE', help: '' } },
    ['SESSION'],
  ],
  ['[SESSION] [+TAG…] [-TAG…]', undefined, ['SESSION']],
  ['enable|disable [SESSION] [--notify S]', undefined, ['enable disable', 'SESSION']],
] as const)('%s', (usage, options, expected) => {
  expect(places(usage, options)).toEqual(expected);
});

test('an option has its value, and one whose value may be left out is followed by anything', () => {
  const { options } = shapeOf(
    'x',
    '',
    command('', {
      to: { value: 'S', short: 't', help: 'whom' },
      remind: { value: 'N', optional: true, help: 'ask' },
      json: { help: 'print JSON' },
    }),
  );
  expect(options.map(({ flags, value }) => [flags.join(' '), value?.sessions ?? null])).toEqual([
    ['--to -t', true],
    ['--remind', null],
    ['--json', null],
    ['--help -h', null],
  ]);
});

test('every command that takes a session has it completed', async () => {
  for (const { entries } of groups)
    for (const [word, entry] of Object.entries(entries)) {
      const command = await entry.load();
      if (!/\bSESSION\b/.test(command.usage.replace(/--\S+ \[?SESSION\]?/g, ''))) continue;
      const { places } = shapeOf(word, entry.summary, command);
      expect(
        places.some(({ sessions }) => sessions),
        word,
      ).toBe(true);
    }
});

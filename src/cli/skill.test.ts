import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { testIo } from '../../test/support/io.ts';
import { parseArguments } from './arguments.ts';
import { entryOf, groups } from './commands.ts';
import { run } from './run.ts';
import { sections, skillText } from './skill.ts';
import { arityOf, waysOf } from './usage.ts';

const calls = sections.flatMap(({ calls }) => calls);

test.each(calls)('sm %s is a call that the command takes', async (call) => {
  const [word = '', ...argv] = [...call.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const command = await entryOf(word)?.load();
  expect(command, word).toBeDefined();
  const { args } = parseArguments(word, command!, argv);
  const [fewest, most] = command!.arity ?? arityOf(waysOf(command!.usage, command!.options));
  expect(args.length).toBeGreaterThanOrEqual(fewest);
  expect(args.length).toBeLessThanOrEqual(most);
});

test('it says of each command what the table says, and is short', async () => {
  const text = await skillText(groups, false);
  expect(text).toContain(`- \`sm handoff notes.md\`: ${entryOf('handoff')?.summary}\n`);
  const { options } = await entryOf('send')!.load();
  expect(text).toContain(`- \`sm send login "TEXT" --urgent\`: ${options.urgent?.help}\n`);
  expect(text).not.toContain('undefined');
  expect(text.split('\n').length).toBeLessThan(70);
});

test('as a file it has the front matter that agents find it by', async () => {
  const [, front = ''] = /^---\n(.*?)\n---\n/s.exec(await skillText(groups, true)) ?? [];
  const { name, description } = parse(front) as Record<string, string>;
  expect(name).toBe('sm');
  expect(description?.length).toBeLessThan(1024);
});

test('sm skill prints it', async () => {
  const io = testIo();
  expect(await run(['skill'], io)).toBe(0);
  expect(io.printed.out).toBe(await skillText(groups, false));
});

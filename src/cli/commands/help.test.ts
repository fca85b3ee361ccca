import { expect, test } from 'vitest';
import { testIo } from '../../../test/support/io.ts';
import { groups } from '../commands.ts';
import { run } from '../run.ts';

const words = groups.flatMap(({ entries }) => Object.keys(entries));

test.each(words)('sm %s --help explains every option', async (word) => {
  const io = testIo();
  expect(await run([word, '--help'], io)).toBe(0);
  expect(io.printed.out).toMatch(new RegExp(`^Usage: sm ${word}`));
  const { options } = await groups.find(({ entries }) => word in entries)!.entries[word]!.load();
  for (const name of Object.keys(options)) expect(io.printed.out).toContain(`--${name}`);
  expect(
    Math.max(
      ...io.printed.out
        .split('\n')
        .slice(1)
        .map((line) => line.length),
    ),
  ).toBeLessThan(121);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script, without types
import { machines } from '../machines/machines.mjs';

it('every machine that the suites run on stands in the table of machines, and no other is named as one', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/machines.md'), 'utf8');
  const tried = page.split('\n').filter((line) => /\| tried/.test(line));
  const named = new Set(
    tried.flatMap((line) =>
      [...line.matchAll(/`((?:node|tmux)-[\w.]+|[a-z]+(?:-[a-z]+)*)`/g)].map(([, name]) => name),
    ),
  );
  const names: string[] = machines.map(({ name }: { name: string }) => name);
  expect(names.filter((name) => !named.has(name))).toEqual([]);
  const odd = [...named].filter(
    (name) => /^(node|tmux)-/.test(name as string) && !names.includes(name as string),
  );
  expect(odd).toEqual([]);
});

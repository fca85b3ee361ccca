// The words that CONTEXT.md says to avoid stay out of the code. HTTP keeps the names that its clients know.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const avoided = /\b(jobs?|pings?|inject(s|ed)?|onStop|onDelivery|notDelivered|not-delivered)\b/i;
/** Old names of what is stored, and commands of the shell. */
const exempt = ['src/store/sqlite/migrations.ts', 'src/domain/policy/shell.ts'];

test('nobody uses a word to avoid', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'hooks'], { cwd: root, encoding: 'utf8' });
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !exempt.includes(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (avoided.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});

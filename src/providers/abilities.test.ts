import { expect, test } from 'vitest';
import { abilityRows } from './abilities.ts';

test('docs/providers.md is current (write it anew with: npx vitest run src/providers/abilities.test.ts -u)', async () => {
  const [head = [], ...rows] = abilityRows();
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  await expect(`# What each kind of agent can do

Made from what the providers declare (\`src/providers/*/card.ts\`); \`sm doctor --abilities\` shows the same. What an agent cannot
do, the suite of the providers skips by this declaration, and a message waits for a moment that is safe instead.

${table}
`).toMatchFileSnapshot('../../docs/providers.md');
});

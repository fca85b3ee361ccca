import { expect, test } from 'vitest';
import { abilityRows, optionRows } from './abilities.ts';

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = ([head = [], ...rows]: string[][]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

test('docs/providers.md is current (write it anew with: npx vitest run src/providers/abilities.test.ts -u)', async () => {
  await expect(`# What each kind of agent can do

Made from what the providers declare (\`src/providers/*/card.ts\`); \`sm doctor --abilities\` shows the same. What an agent cannot
do, the suite of the providers skips by this declaration, and a message waits for a moment that is safe instead.

${table(abilityRows())}

## Which options it takes

All of them take \`--model\`, \`--env\` and what stands behind \`--\` ([Options](guide/options.md)).

${table(optionRows())}
`).toMatchFileSnapshot('../../docs/providers.md');
});

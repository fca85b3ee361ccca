// Writes docs/guide/commands.md from the table of commands. With --check it writes nothing, and says whether the file
// is current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTable, root } from './table.mjs';

const file = join(root, 'docs/guide/commands.md');
const { groups, commandHelp } = await loadTable();

const sections = await Promise.all(groups.map(section));
const text = `# Commands

\`npm run docs\` writes this page from the command table. \`sm COMMAND --help\` prints the same text.

${groups.map(({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`).join('\n')}

A session is named by its id, the beginning of its id, or its name. A message is named by its id, or the beginning of it.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | refused or failed |
| 2 | no server, or not inside a session |

${sections.join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/guide/commands.md is out of date. Run: npm run docs');
  process.exitCode = 1;
}

async function section({ title, entries }) {
  const commands = Object.entries(entries).map(async ([word, entry]) => {
    const help = commandHelp(word, entry, await entry.load());
    return `### sm ${word}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`;
  });
  return `## ${title}\n\n${(await Promise.all(commands)).join('\n')}`;
}

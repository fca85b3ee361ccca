// Writes what can be known from elsewhere: the page of commands from their table, what agents can do and their settings
// from their cards, the list of decisions from their headings. With --check it writes nothing, and says what is not
// current.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, root } from './source.mjs';

const { groups, commandHelp, cards, sectionOf, abilityRows, optionRows } = await load(
  `export { groups } from './src/cli/commands.ts'; export { commandHelp } from './src/cli/help.ts';
  export { cards, sectionOf } from './src/providers/cards.ts';
  export { abilityRows, optionRows } from './src/providers/abilities.ts';`,
);

const sections = await Promise.all(groups.map(section));
const text = `# Commands

\`npm run docs\` writes this page from the command table. \`sm COMMAND --help\` prints the same text.

${groups.map(({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')})`).join('\n')}

A session is named by its id, the beginning of its id, or its name. A message is named by its id, or the beginning of it.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | refused or failed |
| 2 | no server, or not inside a session |

${sections.join('\n')}`;

put('docs/guide/commands.md', () => text);
// npm links only the man pages that are listed one by one.
put('package.json', (json) =>
  json.replace(/("man": \[\n).*?( {2}\])/s, (_, head, tail) => `${head}${manPages()}\n${tail}`),
);
put('docs/guide/configuration.md', (page) =>
  page.replace(/(# The agents\n).*?\n\n/s, (_, head) => `${head}${cards.map(settings).join('')}\n`),
);
put('docs/providers.md', () => abilities());
put('docs/decisions/README.md', (page) => page.replace(/^- .*$\n/gm, '') + decisions());

function put(name, write) {
  const file = join(root, name);
  const before = readFileSync(file, 'utf8');
  const after = write(before);
  if (after === before) return;
  if (!process.argv.includes('--check')) writeFileSync(file, after);
  else {
    console.error(`${name} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}

function manPages() {
  const words = groups.flatMap(({ entries }) => Object.keys(entries));
  return ['sm', ...words.map((word) => `sm-${word}`)].map((name) => `    "man/${name}.1"`).join(',\n');
}

function abilities() {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const table = ([head, ...rows]) => [head, head.map(() => '---'), ...rows].map(line).join('\n');
  return `# What each kind of agent can do

\`npm run docs\` writes this page from what the providers declare (\`src/providers/*/card.ts\`); \`sm doctor --abilities\` shows
the same. What an agent cannot do, the tests of the providers skip, and a message waits for a safe moment instead.

${table(abilityRows())}

## Which options it takes

All of them take \`--model\`, \`--env\` and what stands behind \`--\` ([Options](guide/options.md)).

${table(optionRows())}
`;
}

function decisions() {
  const folder = join(root, 'docs/decisions');
  return readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => {
      const [heading] = readFileSync(join(folder, name), 'utf8').split('\n', 1);
      const title = heading.replace(/^# (\d+[.:]? )?/, '');
      return `- [${name.slice(0, 4)}](${name}) ${title}\n`;
    })
    .join('');
}

/** The section of an agent. What the keys mean is said once, at the first. */
function settings(card, at) {
  const row = (text, comment) => (comment ? `${text.padEnd(30)} # ${comment}` : text);
  const first = (comment) => (at === 0 ? comment : '');
  const lines =
    card.command === null
      ? ['  args: []']
      : [
          row(`  command: ${card.command}`, first('the program')),
          row('  args: []', first('arguments for every start')),
          row('  env: {}', first('variables for every start')),
          row('  default_model: null', first('the model, where --model names none')),
        ];
  return `${[row(`${sectionOf(card)}:`, card.title.replace(/,$/, '')), ...lines].join('\n')}\n`;
}

async function section({ title, entries }) {
  const commands = Object.entries(entries).map(async ([word, entry]) => {
    const help = commandHelp(word, entry, await entry.load());
    return `### sm ${word}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`;
  });
  return `## ${title}\n\n${(await Promise.all(commands)).join('\n')}`;
}

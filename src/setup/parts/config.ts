// The configuration: every key, commented out, with its default and what it means. In one that is there already these
// lines are added at the end, and nothing else is touched.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseConfig } from '../../daemon/config.ts';
import { ConfigError } from '../../daemon/yaml.ts';
import { findAccounts } from '../accounts.ts';
import { stateAt } from '../changes.ts';
import type { Part, Plan } from '../part.ts';
import { type Place, shown } from '../place.ts';

const begin = '# --- Every key of sm, with its default. Copy out of this list what you change. ---';
const end = '# --- The end of the list. ---';

export const config: Part = { name: 'config', plan };

function plan(place: Place): Plan {
  const path = place.paths.config;
  const name = shown(place, path);
  const { text, ours } = stateAt(place, path);
  const list = listOfKeys(place);
  if (text === null)
    return {
      state: 'offered',
      question: `Write a configuration with every key explained to ${name}?`,
      unasked: true,
      changes: [{ do: 'write', path, text: `${head}\n${profilesFor(place)}${list}` }],
    };
  try {
    parseConfig(text, path);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { state: 'not here', why: `${name} has a mistake; it stays as it is. See: sm doctor` };
  }
  const wanted = withList(text, list);
  if (text === wanted) return { state: 'there', what: `the configuration is ${name}` };
  return {
    state: 'offered',
    question: `Bring the list of keys in ${name} up to date? Your settings stay as they are.`,
    detail: difference(text, wanted),
    unasked: ours,
    changes: [{ do: 'write', path, text: wanted, ...(ours ? {} : { copy: `${path}.before-sm-setup` }) }],
  };
}

const head = `# The configuration of sm. You need none of it: every key has a default.
# After a change: sm down && sm up. The agents keep running.
`;

/** One for each account beside the usual ones, to start sessions with. */
function profilesFor(place: Place): string {
  const others = findAccounts(place).filter(({ usual }) => !usual);
  if (others.length === 0) return '';
  const lines = others.flatMap(({ agent, directory }) => [
    `  ${basename(directory)
      .replace(/^\.+/, '')
      .replace(/[^\w.-]/g, '-')}:`,
    `    agent: ${agent}`,
    `    account: ${JSON.stringify(directory)}`,
  ]);
  return `# Your other accounts: sm ${others[0]?.agent} --profile NAME\nprofiles:\n${lines.join('\n')}\n\n`;
}

/** The text that the guide has: one home, checked by a test to be complete. */
function listOfKeys({ paths }: Place): string {
  const guide = readFileSync(join(paths.dist, '..', 'docs', 'guide', 'configuration.md'), 'utf8');
  const [, keys = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  const lines = keys
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '#' : `# ${line}`));
  return `${[begin, ...lines, end].join('\n')}\n`;
}

function withList(text: string, list: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from >= 0 && to >= 0) {
    const after = text.slice(to + end.length).replace(/^\n/, '');
    return text.slice(0, from) + list + after;
  }
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${list}`;
}

/** Lines that go and lines that come: only whole lines of the list do. */
function difference(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
}

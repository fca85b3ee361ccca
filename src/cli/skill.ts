// The text that teaches an agent the commands: what each of them does is what the table says.
import type { Entry, Group } from './command.ts';

interface Section {
  readonly title: string;
  readonly says: readonly string[];
  /** How a command is called, without `sm`; the first word is the command. One that ends in an option shows that one. */
  readonly calls: readonly string[];
}

export const sections: readonly Section[] = [
  {
    title: 'You and the others',
    says: [
      'You are in a session if CLAUDE_SESSION_MANAGER_ID is set. Name a session by its id, the start of its id, or its name.',
    ],
    calls: ['me', 'all', 'children', 'who'],
  },
  {
    title: 'Give work to others',
    says: [
      'You are told when a session that you have started or sent something to has ended its turn: a line that starts with',
      '`[sm]` comes to you by itself, with the last words. So do not poll and do not sleep: end your turn.',
    ],
    calls: [
      'spawn "PROMPT" --name login',
      'send login "TEXT"',
      'send login "TEXT" --important',
      'send login "TEXT" --urgent',
      'wait login 600',
      'queue login',
      'output login',
      'kill login',
    ],
  },
  {
    title: 'Report, and be reminded',
    says: ['Report in one line when you begin something new, and whenever you are asked for your status.'],
    calls: ['status "TEXT"', 'task "TASK"', 'name NAME', 'remind 600 "TEXT"'],
  },
  {
    title: 'Your own context',
    says: [
      'When you are told that your context is nearly full, write down what you know and what comes next, and hand over.',
    ],
    calls: ['context', 'handoff notes.md'],
  },
  {
    title: 'Share a workspace',
    says: [],
    calls: ['lock "REASON"', 'unlock'],
  },
];

const description =
  'Work with other coding agents through sm: start sessions, give them work, hear when they have finished, report your ' +
  'own progress, hand over your context. Use it when CLAUDE_SESSION_MANAGER_ID is set, or when you are asked to start, ' +
  'lead or message other agents or sessions.';

/** `asFile`: as agents keep it on disk. */
export async function skillText(groups: readonly Group[], asFile: boolean): Promise<string> {
  const table = Object.fromEntries(groups.flatMap(({ entries }) => Object.entries(entries)));
  const paragraphs = sections.map(async ({ title, says, calls }) => [
    '',
    `## ${title}`,
    '',
    ...says,
    ...(says.length > 0 ? [''] : []),
    ...(await Promise.all(calls.map(async (call) => `- \`sm ${call}\`: ${await meaning(table, call)}`))),
  ]);
  const lines = (await Promise.all(paragraphs)).flat();
  return `${[
    ...(asFile ? ['---', 'name: sm', `description: ${JSON.stringify(description)}`, '---', ''] : []),
    '# sm',
    '',
    'sm runs teams of coding agents as sessions and carries messages between them.',
    ...lines,
    '',
    '## Good to know',
    '',
    '- `sm COMMAND --help` explains a command and its options; `sm --help` lists all of them.',
    '- Every list has `--json`.',
    '- Put `--` before a text that starts with a dash. `-` reads the text from standard input.',
    '- A long text is better in a file: `sm send login --file notes.md`.',
    '- Exit codes: 0 done, 1 refused or failed (the message says why and what to do), 2 no server or not inside a session.',
  ].join('\n')}\n`;
}

async function meaning(table: Readonly<Record<string, Entry>>, call: string): Promise<string> {
  const entry = table[call.split(' ', 1)[0] as string] as Entry;
  const [, option] = / --(\S+)$/.exec(call) ?? [];
  const spec = option === undefined ? undefined : (await entry.load()).options[option];
  return spec?.help ?? entry.summary;
}

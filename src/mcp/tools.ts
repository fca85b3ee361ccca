// The commands that an agent may use, as tools: made from the table of commands, so that both take the same, and say the
// same. Who may do what is for the daemon to say, by the key of the session.
import type { Command, Entry, Group, OptionSpec } from '../cli/command.ts';

const words = [
  ...['me', 'all', 'children', 'who', 'why', 'status', 'task', 'name', 'tag'],
  ...['spawn', 'send', 'wait', 'queue', 'trace', 'withdraw', 'output', 'tail', 'answer', 'review'],
  ...['interrupt', 'clear', 'kill', 'restore', 'fork', 'dispatch'],
  ...['remind', 'context', 'contexts', 'handoff', 'lock', 'unlock'],
  ...['search', 'digest', 'cost', 'limits', 'budget'],
] as const;

/** They would never come to an end. */
const endless = new Set(['follow']);

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly additionalProperties: boolean;
  };
  /** The words of the command line. */
  argv(input: Readonly<Record<string, unknown>>): string[];
}

export async function toolsOf(groups: readonly Group[]): Promise<Tool[]> {
  const table = Object.fromEntries(groups.flatMap(({ entries }) => Object.entries(entries)));
  return Promise.all(
    words.map(async (word) => {
      const entry = table[word];
      if (!entry) throw new Error(`no command ${word}`);
      return toolOf(word, entry, await entry.load());
    }),
  );
}

function toolOf(word: string, { summary }: Entry, command: Command): Tool {
  const options = Object.entries(command.options).filter(([name]) => !endless.has(name));
  return {
    name: word,
    description: [`${summary}.`, `sm ${word} ${command.usage}`.trim(), command.about]
      .filter(Boolean)
      .join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        arguments: {
          type: 'array',
          items: { type: 'string' },
          description: `What is not an option, in this order: ${command.usage}`,
        },
        ...Object.fromEntries(options.map(([name, spec]) => [name, schemaOf(spec)])),
        ...(command.takesKeys && {
          keys: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'any other --KEY VALUE',
          },
        }),
      },
      additionalProperties: false,
    },
    argv: (input) => [
      word,
      ...options.flatMap(([name]) => asOption(name, input[name])),
      ...Object.entries(command.takesKeys ? Object(input.keys) : {}).flatMap(([name, value]) =>
        asOption(name, value),
      ),
      ...textsIn(input.arguments, command),
    ],
  };
}

function schemaOf({ help: description, value, optional, many }: OptionSpec): object {
  if (value === undefined) return { type: 'boolean', description };
  const text = `${description} (${value})`;
  if (many) return { type: 'array', items: { type: 'string' }, description: text };
  return { type: optional ? ['string', 'boolean'] : 'string', description: text };
}

function asOption(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === false) return [];
  if (value === true) return [`--${name}`];
  return [value].flat().map((each) => `--${name}=${each}`);
}

/** A text that begins with a dash is no option; but what some commands hand on to an agent stands behind the dashes. */
function textsIn(given: unknown, { handsOn }: Command): string[] {
  const texts = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(String);
  return handsOn ? texts : ['--', ...texts];
}

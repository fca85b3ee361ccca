// The language in which a test tells a stand-in model what to do, written inside the prompt itself.
// A prompt is a small script: its directives run in the order in which they stand.

export type Step =
  | { kind: 'say'; text: string }
  | { kind: 'sleep'; seconds: number }
  | { kind: 'bash'; command: string; background: boolean }
  | { kind: 'edit'; file: string; text: string }
  | { kind: 'agent'; prompt: string }
  /** Any tool, by its name. */
  | { kind: 'tool'; name: string; input: Record<string, unknown> }
  | { kind: 'fail'; message: string }
  | { kind: 'hang'; silent: boolean };

export interface Script {
  steps: readonly Step[];
  /** Input tokens to report, which is what the agent's context figures are made of. */
  usage: number | null;
  /** The first request is refused as too long, which makes the agent compact and try again. */
  tooLong: boolean;
}

const directive = /\[\[(\w+)(?:\s+([\s\S]*?))?\]\]/g;

export function parseScript(prompt: string): Script {
  const steps: Step[] = [];
  let usage: number | null = null;
  let tooLong = false;

  for (const [whole, name, argument = ''] of prompt.matchAll(directive)) {
    switch (name) {
      case 'say':
        steps.push({ kind: 'say', text: argument });
        break;
      case 'sleep':
        steps.push({ kind: 'sleep', seconds: number(argument, whole) });
        break;
      case 'bash':
        steps.push(bash(argument));
        break;
      // Whether a command is asked about is for the agent's permission mode to say, not for the model.
      case 'ask':
        steps.push(bash(argument || 'echo asked'));
        break;
      // So many seconds, or a command.
      case 'background': {
        const command = /^[\d.]+$/.test(argument) ? `sleep ${argument}` : argument;
        if (!command) throw new Error(`a command is missing in ${whole}`);
        steps.push({ kind: 'bash', command, background: true });
        break;
      }
      case 'bashes': {
        const [count, command] = headAndRest(argument);
        for (let i = 0; i < number(count, whole); i++) steps.push(bash(command));
        break;
      }
      case 'edit': {
        const [file, text] = headAndRest(argument);
        steps.push({ kind: 'edit', file, text });
        break;
      }
      case 'agent':
        steps.push({ kind: 'agent', prompt: argument });
        break;
      case 'tool': {
        const [tool, input] = headAndRest(argument);
        steps.push({ kind: 'tool', name: tool, input: JSON.parse(input || '{}') as Record<string, unknown> });
        break;
      }
      case 'fail':
        steps.push({ kind: 'fail', message: argument || 'refused on request' });
        break;
      case 'hang':
        steps.push({ kind: 'hang', silent: argument === 'silent' });
        break;
      case 'usage':
        usage = number(argument, whole);
        break;
      case 'toolong':
        tooLong = true;
        break;
      // Anything else in double brackets is prose: a test may well send a wiki link.
    }
  }
  return { steps, usage, tooLong };
}

export type ToolStep = Extract<Step, { kind: 'bash' | 'edit' | 'agent' | 'tool' }>;

export const isToolCall = (step: Step): step is ToolStep =>
  ['bash', 'edit', 'agent', 'tool'].includes(step.kind);

const bash = (command: string): Step => ({ kind: 'bash', command, background: false });

function headAndRest(argument: string): [string, string] {
  const space = argument.indexOf(' ');
  return space < 0 ? [argument, ''] : [argument.slice(0, space), argument.slice(space + 1)];
}

function number(text: string, whole: string): number {
  const value = Number(text);
  if (!text.trim() || !Number.isFinite(value)) throw new Error(`a number is missing in ${whole}`);
  return value;
}

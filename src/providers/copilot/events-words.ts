// What can be read in a line of the events file: what the agent said, and what it gave its tools to do. Not what tools
// answered.
import { textsIn } from '../values.ts';

interface Line {
  readonly data?: {
    readonly content?: unknown;
    readonly toolRequests?: readonly { readonly arguments?: unknown }[];
  };
}

export function copilotWords(line: string): string {
  if (!line.startsWith('{"type":"assistant.message"')) return '';
  const { data } = JSON.parse(line) as Line;
  return textsIn([data?.content, (data?.toolRequests ?? []).map((call) => call.arguments)]).join('\n');
}

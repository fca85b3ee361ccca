// What can be read in a line of the rollout: what the agent said, and what it gave its tools to do. Not what tools answered.

interface Line {
  readonly type?: string;
  readonly payload?: {
    readonly type?: string;
    readonly role?: string;
    readonly content?: readonly { readonly text?: unknown }[];
    readonly arguments?: unknown;
    readonly input?: unknown;
  };
}

export function codexWords(line: string): string {
  if (!/^.{0,120}"type":\s*"response_item"/.test(line)) return '';
  const { payload } = JSON.parse(line) as Line;
  switch (payload?.type) {
    case 'message':
      // Of the others, most is what the program tells the model.
      if (payload.role !== 'assistant') return '';
      return (payload.content ?? [])
        .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
        .join('\n');
    case 'function_call':
    case 'custom_tool_call':
      return [payload.arguments, payload.input].filter((part) => typeof part === 'string').join('\n');
    default:
      return '';
  }
}

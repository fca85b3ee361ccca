// What can be read in a line of the transcript: what the agent said, what it gave its tools to do, and what a human typed.
// Not what tools answered: most of that stands in files anyway.

interface Line {
  readonly type?: string;
  readonly isMeta?: boolean;
  readonly message?: { readonly content?: unknown };
}

interface Block {
  readonly type?: string;
  readonly text?: unknown;
  readonly input?: unknown;
}

export function claudeWords(line: string): string {
  if (!/"type":\s*"(user|assistant)"/.test(line)) return '';
  const { type, isMeta, message } = JSON.parse(line) as Line;
  if (isMeta || (type !== 'user' && type !== 'assistant')) return '';
  const content = message?.content;
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [];
  const parts = (Array.isArray(content) ? (content as Block[]) : blocks).flatMap((block) => {
    if (block.type === 'text' && typeof block.text === 'string') return [block.text];
    return block.type === 'tool_use' ? textsIn(block.input) : [];
  });
  return parts.filter((text) => !text.startsWith('[sm] ')).join('\n');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

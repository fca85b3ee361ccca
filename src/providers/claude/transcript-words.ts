// What can be read in a line of the transcript: what the agent said, what it gave its tools to do, and what a human typed.
// Not what tools answered: most of that stands in files anyway.

import { list, present, record, text, textsIn } from '../values.ts';

export function claudeWords(line: string): string {
  if (!/"type":\s*"(user|assistant)"/.test(line)) return '';
  const { type, isMeta, message } = record(JSON.parse(line));
  if (isMeta || (type !== 'user' && type !== 'assistant')) return '';
  const { content } = record(message);
  const typed = text(content);
  const parts = typed === null ? list(content).flatMap((block) => wordsOf(record(block))) : [typed];
  return parts.filter((words) => !words.startsWith('[sm] ')).join('\n');
}

function wordsOf(block: Record<string, unknown>): readonly string[] {
  if (block.type === 'text') return present(text(block.text));
  return block.type === 'tool_use' ? textsIn(block.input) : [];
}

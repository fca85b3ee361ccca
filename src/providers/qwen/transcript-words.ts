// What can be read in a line of the transcript: what the agent said, what it gave its tools to do, and what a human typed.
import { present, record, text, textsIn } from '../values.ts';
import { parse, partsOf } from './transcript.ts';

export function qwenWords(words: string): string {
  if (!/"type":\s*"(user|assistant)"/.test(words)) return '';
  const line = parse(words);
  if (line?.type !== 'user' && line?.type !== 'assistant') return '';
  return partsOf(line)
    .flatMap((part) => [...present(text(part.text)), ...textsIn(record(part.functionCall).args)])
    .filter((each) => !each.startsWith('[sm] '))
    .join('\n');
}

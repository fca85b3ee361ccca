// Why something waits: the daemon's short reasons in full, any other as it is.
import { oneLine } from './format/text.ts';

const words: Readonly<Record<string, string>> = {
  draft: 'a draft is in its composer',
  returned: 'an interrupt put it back into its composer',
};

export function reason(why: unknown): string {
  const text = oneLine(String(why ?? ''));
  return (Object.hasOwn(words, text) ? words[text] : undefined) ?? text;
}

// A command line as a shell splits it: blanks, quotes, backslashes, and nothing else of a shell.

export function shellWords(line: string): { readonly words: string[] } | { readonly error: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (character === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return { error: `The quote ${quote} is not closed.` };
  return { words: word === undefined ? words : [...words, word] };
}

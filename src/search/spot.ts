// Where the words that were looked for stand in a text.
import type { Term } from '../ports/search.ts';

const inWord = '[\\p{L}\\p{N}\\p{M}\\p{Co}]';

const charactersBefore = 50;
const charactersAfter = 90;

export interface Spot {
  readonly snippet: string;
  readonly matched: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Around the first of the terms. */
export function spotIn(text: string, terms: readonly Term[]): Spot {
  const folded = withoutMarks(text);
  let first: { index: number; length: number } | null = null;
  for (const term of terms) {
    const found = patternOf(term).exec(folded);
    if (found && (!first || found.index < first.index))
      first = { index: found.index, length: found[0].length };
  }
  const { index, length } = first ?? { index: 0, length: 0 };
  const from = wordStart(text, Math.max(0, index - charactersBefore));
  const end = index + Math.min(length, charactersAfter);
  const to = wordEnd(text, Math.min(text.length, end + charactersAfter), end);
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  return {
    snippet: flat(shown),
    matched: flat(text.slice(index, end)),
    line: text.slice(0, index).split('\n').length,
  };
}

/** As the index has them. Each letter stays in its place. */
function withoutMarks(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (letter) => {
    const bare = letter.normalize('NFD').replace(/\p{M}/gu, '');
    return bare.length === 1 ? bare : letter;
  });
}

function patternOf({ words, prefix }: Term): RegExp {
  const side = words.map(withoutMarks).join(`(?:(?!${inWord})[^])+`);
  return new RegExp(`(?<!${inWord})${side}${prefix ? `${inWord}*` : `(?!${inWord})`}`, 'iu');
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + 15).search(/\s/);
  return pastHalf(text, space < 0 ? at : at + space + 1);
}

function wordEnd(text: string, at: number, least: number): number {
  if (at === text.length) return at;
  const space = text.slice(at - 15, at).search(/\s\S*$/);
  return pastHalf(text, space < 0 ? at : Math.max(least, at - 15 + space));
}

/** Not between the halves of one character. */
const pastHalf = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at);

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

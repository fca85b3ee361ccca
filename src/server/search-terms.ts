// Words as a person gives them to a search.
import type { Term } from '../ports/search.ts';

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Fewer letters begin so many words that it takes seconds to look through them. */
const shortestBeginning = 3;
const mostTerms = 20;

/** `login "two words" auth*`; nothing in it is a sign but the quotes and a star at the end. */
export function termsOf(given: string): { readonly terms: Term[] } | { readonly fault: string } {
  const terms: Term[] = [];
  for (const [whole, quoted, bare] of given.matchAll(/"([^"]*)"\*?|([^\s"]+)/gu)) {
    const words = (quoted ?? bare ?? '').match(word);
    if (!words) continue;
    const prefix = whole.endsWith('*');
    if (prefix && (words.at(-1) as string).length < shortestBeginning)
      return {
        fault: `${whole} fits too many words. Give at least ${shortestBeginning} letters before the *.`,
      };
    terms.push({ words, prefix });
  }
  if (terms.length === 0) return { fault: 'Give at least one word to search for.' };
  if (terms.length > mostTerms) return { fault: `Give at most ${mostTerms} words to search for.` };
  return { terms };
}

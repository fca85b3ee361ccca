// A request that opens a conversation. What it was for stands in its id, so that whoever reads the answer knows it, also
// after a restart of ours.
import type { RequestId } from './connection.ts';

/** What an answer opened: the first conversation, one that was taken up again, a copy, or one in place of `from`. */
export type Opening =
  | { readonly how: 'start' | 'resume' | 'fork' }
  | { readonly how: 'clear'; readonly from: string };

/** How the id of such a request begins. */
export const openingId = (opening: Opening): string =>
  opening.how === 'clear' ? `clear:${encodeURIComponent(opening.from)}` : opening.how;

/** What an answer opened, by the id of its request. */
export function openingOf(id: RequestId): Opening | null {
  const [how, from] = String(id).split(':');
  if (how === 'start' || how === 'resume' || how === 'fork') return { how };
  const left = how === 'clear' && from ? decoded(from) : null;
  return left === null ? null : { how: 'clear', from: left };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // No request of ours has such an id.
    return null;
  }
}

/** What to call the start of the conversation. */
export const startSource = { start: 'startup', resume: 'resume', fork: 'startup', clear: 'clear' } as const;

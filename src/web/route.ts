// Which part of the page is shown, by what stands behind # in the address.
export const tabs = ['now', 'terminal', 'changes', 'events', 'context'] as const;
export type Tab = (typeof tabs)[number];

export type Route =
  | { readonly is: 'overview' }
  | { readonly is: 'session'; readonly id: string; readonly tab: Tab }
  | { readonly is: 'message'; readonly id: string }
  | { readonly is: 'use' }
  | { readonly is: 'flow' }
  | { readonly is: 'find'; readonly words: string };

export function routeOf(hash: string): Route {
  const [kind, id = '', tab = 'now'] = hash.replace(/^#/, '').split('/').map(decoded);
  if (kind === 's' && id !== '')
    return { is: 'session', id, tab: tabs.find((each) => each === tab) ?? 'now' };
  if (kind === 'm' && id !== '') return { is: 'message', id };
  if (kind === 'use' || kind === 'flow') return { is: kind };
  if (kind === 'find') return { is: 'find', words: id };
  return { is: 'overview' };
}

/** Somebody may have typed it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const overviewLink = '#all';
/** Limits and cost. */
export const useLink = '#use';
/** Messages between sessions. */
export const flowLink = '#flow';
export const sessionLink = (id: string, tab: Tab = 'now'): string =>
  `#s/${encodeURIComponent(id)}${tab === 'now' ? '' : `/${tab}`}`;
export const messageLink = (id: string): string => `#m/${encodeURIComponent(id)}`;
export const findLink = (words: string): string => `#find/${encodeURIComponent(words)}`;

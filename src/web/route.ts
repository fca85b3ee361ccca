// Which part of the page is shown, by what stands behind # in the address.
export type Route = { readonly is: 'overview' } | { readonly is: 'session'; readonly id: string };

export function routeOf(hash: string): Route {
  const [, id] = /^#s\/([\w-]+)$/.exec(hash) ?? [];
  return id === undefined ? { is: 'overview' } : { is: 'session', id };
}

export const sessionLink = (id: string): string => `#s/${encodeURIComponent(id)}`;

export const overviewLink = '#all';

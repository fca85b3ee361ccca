// The path and the query of a request, from the name of its route and what was given.
import { Refused } from './refused.ts';

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** `/sessions/{ref}/input` with its places filled, whatever the name of the session. */
export function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    // An id may be given as it is shown.
    const value = String(values[name]).replace(/^#/, '');
    // Even escaped, these would be resolved as steps of the path; and nothing has so long a name.
    if (value === '' || value === '.' || value === '..' || value.length > 200) throw noSuch(path, value);
    return encodeURIComponent(value);
  });
}

/** As the daemon would say it. */
function noSuch(path: string, ref: string): Refused {
  const what = path.startsWith('/messages/') ? 'message' : 'session';
  return new Refused(404, {
    error: 'not-found',
    detail: `No ${what} "${ref}".`,
    data: { is: `no-${what}`, ref },
  });
}

/** `?session=login&limit=5`; empty without values. What is false is left out, as it is the default of all of them. */
export function queryText(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

// The path and the query of a request, from the name of its route and what was given.
import { Refused } from './refused.ts';

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** `/sessions/{ref}/input` with its places filled, whatever the name of the session. */
export function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name]);
    // Even escaped, these would be resolved as steps of the path.
    if (value === '' || value === '.' || value === '..')
      throw new Refused(404, { error: 'not-found', detail: `There is no "${value}".` });
    return encodeURIComponent(value);
  });
}

/** `?session=login&limit=5`; empty without values. What is false is left out, as it is the default of all of them. */
export function queryText(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Stands at the end of a switch over a union: it does not compile when a case is missing. A switch whose function must
 * return something needs none, because the compiler misses the return.
 */
export function assertNever(it: never): never {
  throw new Error(`Nobody knows of ${JSON.stringify(it)}.`);
}

// The page's half of the sign-in once more, where the service worker can read it: it cannot read where the page keeps it.
// It is there only while this browser is notified, for the pages of this very port, as the other one.
const [store, place] = ['sm', '/worker-key'];

export const keepWorkerKey = async (key: string): Promise<void> =>
  (await caches.open(store)).put(place, new Response(key));

export async function readWorkerKey(): Promise<string | null> {
  const kept = await caches.match(place);
  return kept ? kept.text() : null;
}

/** Where a browser keeps nothing for workers, there is nothing to drop. */
export async function dropWorkerKey(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(store);
}

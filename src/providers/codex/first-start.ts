// Several Codex processes that start at once in a fresh home die, all but one, while they create its databases. So the
// first start there is alone: the next one waits until the first has a thread, which it makes when all else is done.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A first start that takes longer has failed, or waits for a human: then nothing is gained by waiting. */
const longest = 5_000;
const ask = 50;

const starting = new Map<string, Promise<void>>();

/** Resolves when a process may be started in this home. */
export async function firstStartAlone(home: string): Promise<void> {
  const before = starting.get(home);
  if (before) return before;
  if (await isUsed(home)) return;
  // Another one may have come first while we looked.
  if (starting.has(home)) return firstStartAlone(home);
  const first = untilUsed(home).finally(() => starting.delete(home));
  starting.set(home, first);
}

async function untilUsed(home: string): Promise<void> {
  for (let waited = 0; waited < longest && !(await isUsed(home)); waited += ask) await delay(ask);
}

async function isUsed(home: string): Promise<boolean> {
  const [locks, sessions] = await Promise.all(
    ['thread-writer-locks', 'sessions'].map((folder) => readdir(join(home, folder)).catch(() => [])),
  );
  return (sessions?.length ?? 0) > 0 || (locks ?? []).some((name) => /^[0-9a-f-]{36}\.lock$/.test(name));
}

// Waiting for something to become true. `changed` announces a possible change; the interval only covers
// what has no announcement, such as a terminal's screen.

export async function until<T>(
  what: string,
  look: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  {
    timeoutMs = 15_000,
    everyMs = 40,
    onTimeout,
  }: { timeoutMs?: number; everyMs?: number; onTimeout?: () => string | Promise<string> } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms for ${what}, in vain\n${(await onTimeout?.()) ?? ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

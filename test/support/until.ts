// Waits for something that announces nothing, such as a terminal's screen or a file that another process
// appends to: looks often, and says what it waited for when it gives up.

type Maybe<T> = T | undefined | null | false;

export interface UntilOptions {
  timeoutMs?: number;
  /** What there was instead, for the error message. */
  instead?: () => string | Promise<string>;
}

export async function until<T>(
  what: string,
  look: () => Maybe<T> | Promise<Maybe<T>>,
  { timeoutMs = 60_000, instead }: UntilOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) {
      throw new Error(
        `waited ${timeoutMs} ms for ${what}; instead there was:\n${(await instead?.()) ?? 'nothing'}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

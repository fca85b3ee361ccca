// Random inputs that come again: everything is drawn from a number, and one input from its own number.

export interface Dice {
  /** Below `n`. */
  below(n: number): number;
  /** True once in `n` times. */
  once(n: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function dice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { below, once: (n) => below(n) === 0, pick: (from) => from[below(from.length)] as never };
}

/** How many inputs each reader gets. */
export const inputs = Number(process.env.FUZZ_INPUTS ?? 100_000);
const firstSeed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
/** Slower than that is a hang, on however busy a machine. */
const patienceMs = 5_000;

/** Calls with dice for one input after the other; whatever is thrown is told with the number that makes it come again. */
export async function eachInput(
  count: number,
  feed: (d: Dice, number: number) => void | Promise<void>,
  atOnce = 1,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) {
      const number = next++;
      const seed = firstSeed + number;
      const again = `FUZZ_SEED=${seed} FUZZ_INPUTS=1`;
      const began = performance.now();
      try {
        await feed(dice(seed), number);
      } catch (error) {
        next = count;
        throw new Error(`${again}: ${(error as Error).message}`, { cause: error });
      }
      const took = performance.now() - began;
      if (atOnce === 1 && took > patienceMs) throw new Error(`${again}: took ${Math.round(took)} ms`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

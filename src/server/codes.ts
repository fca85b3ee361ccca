// One-time codes with which a browser signs in. Wrong ones make whoever sends them wait, longer each time. All of it is in
// memory: with the daemon the codes are gone, and a new one is a command away.
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';

/** In ms. */
const codeLives = 2 * 60_000;
const longestWait = 60_000;
/** Wrong ones that cost nothing: people mistype. */
const free = 3;
const mostCallers = 1_000;
/** Without those that are easily taken for another. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface Codes {
  make(): { readonly code: string; readonly expiresAt: number };
  /** Takes the code from the table. `from`: who tries. */
  redeem(code: string, from: string): 'right' | 'wrong' | { readonly waitMs: number };
}

export function createCodes(clock: Clock, random: Random): Codes {
  const open = new Map<string, number>();
  const callers = new Map<string, { count: number; until: number }>();

  function take(code: string): boolean {
    for (const [each, expiresAt] of open) if (expiresAt <= clock.now()) open.delete(each);
    return open.delete(plain(code));
  }

  function slowDown(from: string): void {
    const count = (callers.get(from)?.count ?? 0) + 1;
    const wait = count < free ? 0 : Math.min(longestWait, 1_000 * 2 ** Math.min(count - free, 10));
    callers.delete(from);
    callers.set(from, { count, until: clock.now() + wait });
    const [oldest] = callers.keys();
    if (callers.size > mostCallers && oldest !== undefined) callers.delete(oldest);
  }

  return {
    make() {
      const bytes = Buffer.from(random.hex(16), 'hex');
      const text = [...bytes].map((byte) => letters[byte % letters.length]).join('');
      const expiresAt = clock.now() + codeLives;
      open.set(text, expiresAt);
      return { code: `${text.slice(0, 4)}-${text.slice(4)}`, expiresAt };
    },
    redeem(code, from) {
      const waitMs = (callers.get(from)?.until ?? 0) - clock.now();
      // The right one waits as well: otherwise waiting would keep nobody from guessing on.
      if (waitMs > 0) return { waitMs };
      if (take(code)) {
        callers.delete(from);
        return 'right';
      }
      slowDown(from);
      return 'wrong';
    },
  };
}

/** As it was made, however somebody has typed it. */
const plain = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '');

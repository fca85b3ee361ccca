// The half of the sign-in that the page keeps. The other half is a cookie, which no script can read.
import { dropWorkerKey } from './worker-key.ts';

const [place, guestPlace] = ['sm-key', 'sm-guest'];

export const readKey = (): string | null => localStorage.getItem(place);
export const keepKey = (key: string): void => localStorage.setItem(place, key);
export function dropKey(): void {
  localStorage.removeItem(place);
  void dropWorkerKey();
}

/** The one session that this browser may look at; null: it may do everything. */
export const readGuest = (): string | null => localStorage.getItem(guestPlace);
export const keepGuest = (id: string | null): void =>
  id === null ? localStorage.removeItem(guestPlace) : localStorage.setItem(guestPlace, id);

/** A code that the address brought along; it is taken out of the address, and so out of the browser's history. */
export function takeCode(): string | null {
  const [, code] = /^#code=([\w.-]+)$/.exec(location.hash) ?? [];
  if (code === undefined) return null;
  history.replaceState(null, '', '/');
  return code;
}

/** What the person will know this browser by: `Firefox on Linux`. */
export function browserName(agent = navigator.userAgent): string {
  const first = (names: Readonly<Record<string, RegExp>>) =>
    Object.keys(names).find((name) => names[name]?.test(agent));
  const browser = first({ Edge: /Edg/, Firefox: /Firefox|FxiOS/, Chrome: /Chrom|CriOS/, Safari: /Safari/ });
  const system = first({
    iPhone: /iPhone/,
    iPad: /iPad/,
    Android: /Android/,
    Windows: /Windows/,
    macOS: /Mac OS/,
    Linux: /Linux/,
  });
  return [browser ?? 'A browser', ...(system ? [`on ${system}`] : [])].join(' ');
}

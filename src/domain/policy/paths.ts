// Patterns of files: `*` within a name, `**` over any number of folders.
import type { Call, Place } from './call.ts';
import { fits, partsOf } from './glob.ts';

/** An allow goes by where the file really is; a denial also by what it is called. */
export function fileMatches(
  pattern: string,
  file: Place,
  { from, home }: Call,
  by: 'both' | 'real',
): boolean {
  const isAt = (base: string | null, path: string | null) =>
    base !== null && path !== null && pathMatches(absolute(pattern, base, home), path);
  if (isAt(from.real, file.real)) return true;
  return by === 'both' && (isAt(from.path, file.path) || isAt(from.path, file.real));
}

function absolute(pattern: string, base: string, home: string): string {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  if (whole.startsWith('/')) return normalised(whole);
  if (whole === '~' || whole.startsWith('~/')) return normalised(`${home}${whole.slice(1)}`);
  return normalised(`${base}/${whole}`);
}

/** Without `.`, `..` and doubled slashes. */
export function normalised(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function pathMatches(pattern: string, path: string): boolean {
  return segmentsMatch(pattern.split('/').slice(1), path.split('/').slice(1));
}

/** Backtracks only to the last `**`, so that no pattern makes it slow. */
function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let [p, s, star, resume] = [0, 0, -1, 0];
  while (s < path.length) {
    if (pattern[p] === '**') {
      star = p;
      p += 1;
      resume = s;
    } else if (p < pattern.length && fits(partsOf(pattern[p] as string), path[s] as string)) {
      p += 1;
      s += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      s = resume;
    } else return false;
  }
  while (pattern[p] === '**') p += 1;
  return p === pattern.length;
}

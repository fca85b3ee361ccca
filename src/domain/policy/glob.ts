// Stars. A text is split at them once; matching is linear, whatever the pattern.

/** A text between stars: one part more than there are stars. */
export type Parts = readonly string[];

/** A backslash makes a star, or another backslash, an ordinary character. */
export function partsOf(pattern: string): Parts {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < pattern.length; i += 1) {
    const [c, next] = [pattern[i] as string, pattern[i + 1]];
    if (c === '\\' && (next === '*' || next === '\\')) {
      part += next;
      i += 1;
    } else if (c === '*') {
      parts.push(part);
      part = '';
    } else part += c;
  }
  return [...parts, part];
}

/** The pattern that matches only this text. */
export const literally = (text: string): string => text.replaceAll(/[\\*]/g, '\\$&');

/** The only text that the pattern matches; null: it has stars. */
export function onlyText(pattern: string): string | null {
  const parts = partsOf(pattern);
  return parts.length === 1 ? (parts[0] as string) : null;
}

export function fits(parts: Parts, text: string): boolean {
  const first = parts[0] as string;
  if (parts.length === 1) return text === first;
  const last = parts.at(-1) as string;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

export const matches = (pattern: string, text: string): boolean => fits(partsOf(pattern), text);

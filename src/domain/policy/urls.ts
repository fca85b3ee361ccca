// Patterns of addresses: the host is compared as a host, never as a piece of text.
import { matches } from './glob.ts';

/** `https://example.com/docs/*`, `example.com`, `*.example.com`; `domain:example.com` is the same. */
export function urlMatches(pattern: string, url: string): boolean {
  const parsed = parse(url);
  const [, scheme, host, path] =
    /^(?:(\w+):\/\/)?([^/]+)(\/.*)?$/.exec(pattern.replace(/^domain:/, '')) ?? [];
  if (!parsed || host === undefined) return false;
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== parsed.protocol) return false;
  if (!matches(host.toLowerCase(), parsed.host)) return false;
  return path === undefined || matches(path, parsed.pathname + parsed.search);
}

/** The pattern of everything on the same host; null: it has none. */
export function hostOf(url: string): string | null {
  const parsed = parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? `${parsed.protocol}//${parsed.host}` : null;
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

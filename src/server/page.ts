// The page and what belongs to it, from the folder that the build has made. Their names change with what is in them, so
// that a browser may keep them for ever; only the first file is asked for anew.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What goes to everybody: there is nothing in it that is not in the package. */
export const pagePaths = /^\/(?:assets\/[\w.-]+|icon\.svg|manifest\.webmanifest|service-worker\.js)?$/;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** Nothing comes from elsewhere and nothing goes elsewhere; no script but our files; nobody puts the page into his. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  /** Undefined: there is no such file. */
  answer(path: string, encodings: string): Response | undefined;
}

interface File {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
}

export function openPage(folder: string): Page {
  const files = new Map<string, File | null>();

  function read(name: string): File | null {
    try {
      const plain = new Uint8Array(readFileSync(join(folder, name)));
      return { plain, zipped: new Uint8Array(gzipSync(plain, { level: 9 })) };
    } catch {
      return null;
    }
  }

  return {
    answer(path, encodings) {
      if (!pagePaths.test(path)) return undefined;
      const name = path === '/' ? 'index.html' : path.slice(1);
      if (!files.has(name)) files.set(name, read(name));
      const file = files.get(name);
      if (!file) return undefined;
      const zip = /\bgzip\b/.test(encodings);
      return new Response(zip ? file.zipped : file.plain, {
        headers: {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          vary: 'accept-encoding',
          ...(zip && { 'content-encoding': 'gzip' }),
        },
      });
    },
  };
}

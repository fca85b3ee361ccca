// The body of a request: JSON in UTF-8, or nothing.

import type { HonoRequest } from 'hono';
import { invalid } from '../domain/core/refusal.ts';
import { Refused } from './refused.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads it once for all routes. An empty body says nothing, with a content type or without. */
export async function readBody(req: HonoRequest): Promise<object> {
  if (req.header('content-type') === undefined) return {};
  const isEmpty = Number(req.header('content-length') ?? 0) === 0;
  const body = isEmpty ? {} : parseBody(await req.arrayBuffer());
  // What the checks of the route ask for.
  req.json = async () => body as never;
  return Object(body);
}

/** Bytes that are no text must not arrive as another text. */
export function parseBody(bytes: ArrayBuffer | Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `valid JSON: ${error.message}` : 'UTF-8';
    throw new Refused(invalid(`The body is not ${why}.`));
  }
}

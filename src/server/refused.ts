// What a request is answered that cannot be done.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { conflict, type Refusal, type RefusalData } from '../domain/core/refusal.ts';
import { named, type Session } from '../domain/core/session.ts';
import type { Log } from '../ports/log.ts';
import { StoreError } from '../ports/store.ts';
import type { ErrorView } from '../protocol/refusal.ts';

const statusOf = { invalid: 400, forbidden: 403, 'not-found': 404, conflict: 409 } as const;

/** Thrown by routes; becomes the answer. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Something that was begun and did not come to its end: `why`. */
export const notDone = (
  act: Extract<RefusalData, { is: 'not-done' }>['act'],
  session: Session,
  what: string,
  why: string,
): Refused =>
  new Refused(conflict(`${what}: ${why}.`, { is: 'not-done', act, session: named(session), why }));

function answerOf({ code, message, data }: Refusal): ErrorView {
  return { error: code, detail: message, ...(data && { data }) };
}

export function answerError(error: Error, c: Context, log: Log): Response {
  if (error instanceof Refused) return c.json(answerOf(error.refusal), statusOf[error.refusal.code]);
  if (error instanceof StoreError)
    return c.json({ error: `store_${error.code}`, detail: error.message }, 503);
  // Of the framework: a content type, say, that no route takes.
  if (error instanceof HTTPException)
    return c.json({ error: 'invalid', detail: error.message }, error.status);
  log.error(
    { method: c.req.method, path: c.req.path, error: error.stack ?? String(error) },
    'a request failed',
  );
  const detail = `The daemon failed: ${error.message}.`;
  return c.json({ error: 'failed', detail, data: { is: 'daemon-failed' } } satisfies ErrorView, 500);
}

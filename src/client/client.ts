// The typed client of every face: what it can ask, and what it hears, comes from the protocol's one table of routes. Only
// its types do, so that nothing of the checks is loaded.
import type { AnswerOf, RequestOf, RouteName } from '../protocol/routes.ts';
import type { ScreenItem } from '../protocol/session.ts';
import { filledPath, queryText } from './path.ts';
import { parsed, refusedBy } from './refused.ts';
import type { LiveItem, StreamOptions } from './stream.ts';
import type { Transport } from './transport.ts';

export interface Client {
  /** `ask('GET /sessions/{ref}', { ref: 'login' })`. Throws `Refused`, or the `HttpError` of the transport. */
  ask<Name extends RouteName>(name: Name, ...given: Given<Name>): Promise<AnswerOf<Name>>;
  /** What happens, as it happens, also over a restart of the daemon. */
  stream(options?: StreamOptions): AsyncGenerator<LiveItem, void>;
  /** What the pane of a session shows, and each change of it, until it is gone or the connection ends. */
  screen(ref: string, signal?: AbortSignal): AsyncGenerator<ScreenItem, void>;
}

export interface AskOptions {
  /** False: a daemon that was told to stop is not brought back, where the client does so at all. */
  readonly start?: boolean;
}

type Given<Name extends RouteName> =
  object extends RequestOf<Name>
    ? [request?: RequestOf<Name>, options?: AskOptions]
    : [request: RequestOf<Name>, options?: AskOptions];

/** Longer than any answer takes: a clear, say, is given up after 30 s. */
const patienceSeconds = 60;

/** `caller`: the key of the session that asks; without it, the person does. */
export function createClient(transport: Transport, caller?: string): Client {
  return {
    async ask(name, ...[request = {}, { start = true } = {}]) {
      const [method = '', path = ''] = name.split(' ');
      const { query = {}, body, ...places } = request as Asked;
      const { status, body: text } = await transport.request({
        method,
        path: filledPath(path, places) + queryText(query),
        body,
        caller,
        timeoutMs: patienceSeconds * 1000,
        start,
      });
      const answer = parsed(text);
      if (status >= 400 || answer === undefined) throw refusedBy(status, text);
      return answer as AnswerOf<typeof name>;
    },
    async *stream(options = {}) {
      // Few commands stay for it, and it takes time to load.
      const { openStream } = await import('./stream.ts');
      yield* openStream(transport, options, caller);
    },
    async *screen(ref, signal) {
      const { openScreen } = await import('./stream.ts');
      yield* openScreen(transport, ref, caller, signal);
    },
  };
}

interface Asked {
  readonly query?: Parameters<typeof queryText>[0];
  readonly body?: unknown;
  readonly [place: string]: unknown;
}

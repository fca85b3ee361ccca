// Requests of the page to the daemon that has served it. The key goes as a header and never in an address, also not for
// streams: addresses end up in histories and logs.
import { HttpError } from '../client/http-error.ts';
import type { Transport } from '../client/transport.ts';
import { readKey } from './key.ts';

export const pageTransport: Transport = {
  async request({ method, path, body, timeoutMs }) {
    const answer = await ask(path, {
      method,
      headers: { ...keyHeader(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const version = answer.headers.get('x-sm-version') ?? undefined;
    return { status: answer.status, body: await answer.text(), version };
  },

  async open({ path, headers, silenceMs, signal }) {
    const silent = new AbortController();
    const either = signal ? AbortSignal.any([signal, silent.signal]) : silent.signal;
    const answer = await ask(path, { headers: { ...keyHeader(), ...headers }, signal: either });
    return { status: answer.status, pieces: pieces(answer, silent, silenceMs) };
  },
};

async function* pieces(answer: Response, silent: AbortController, silenceMs: number): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let timer = 0;
  try {
    while (reader) {
      timer = window.setTimeout(() => silent.abort(), silenceMs);
      const { value, done } = await reader.read().catch(broken);
      clearTimeout(timer);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}

const keyHeader = (): Record<string, string> => {
  const key = readKey();
  return key === null ? {} : { 'x-sm-page': key };
};

const ask = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store', redirect: 'error' }).catch(broken);

/** All that a browser tells is that it did not work. */
function broken(error: unknown): never {
  throw new HttpError('ECONNRESET', error instanceof Error ? error.message : String(error));
}

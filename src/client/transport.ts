// How requests reach a daemon. Everything above it is the same, wherever the daemon is.
import { type Address, type HttpRequest, httpRequest, requestHeaders } from './http.ts';
import { HttpError } from './http-error.ts';
import type { HttpResponse } from './http-response.ts';

export interface Transport {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** An answer that goes on and on. It ends when nothing has come for the time that the request allows. */
  open(request: OpenRequest): Promise<OpenAnswer>;
}

export interface OpenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly caller?: string | undefined;
  readonly silenceMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenAnswer {
  readonly status: number;
  /** Its text, in whatever pieces it comes. Whoever stops reading closes it. */
  readonly pieces: AsyncIterable<string>;
}

export function transportTo(address: Address): Transport {
  return {
    request: (request) => httpRequest(address, request),
    async open({ path, headers, caller, silenceMs, signal }) {
      // Only those who stay for long need it, and it takes time to load.
      const { get } = await import('node:http');
      const where =
        'socket' in address ? { socketPath: address.socket } : { host: address.host, port: address.port };
      return new Promise((resolve, reject) => {
        const options = {
          ...where,
          path,
          headers: { ...requestHeaders(address, caller), ...headers },
          timeout: silenceMs,
          agent: false as const,
          ...(signal && { signal }),
        };
        const request = get(options, (answer) => {
          answer.setEncoding('utf8');
          resolve({ status: answer.statusCode ?? 0, pieces: answer });
        });
        request.on('timeout', () => request.destroy(new HttpError('ETIMEDOUT', 'nothing came for too long')));
        request.on('error', (error: NodeJS.ErrnoException) =>
          reject(new HttpError(error.code ?? '', error.message)),
        );
      });
    },
  };
}

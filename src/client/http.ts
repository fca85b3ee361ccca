// One HTTP request over a socket. node:http would cost a fifth of the whole run of `sm status`; what is needed of the
// protocol is small: one request, one answer, then the connection is closed.
import { connect } from 'node:net';
import { HttpError } from './http-error.ts';
import { type HttpResponse, type ResponseHead, readHead, readResponse } from './http-response.ts';

/** Where a daemon listens: its unix socket, or TCP, where it wants its token. */
export type Address =
  | { readonly socket: string }
  | { readonly host: string; readonly port: number; readonly token: string };

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The key of the session that calls. */
  readonly caller?: string | undefined;
  readonly timeoutMs: number;
  /** False: from somebody who watches, and must not bring back a daemon that was told to stop. */
  readonly start?: boolean;
}

export function httpRequest(address: Address, request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let head: ResponseHead | undefined;
    const socket = 'socket' in address ? connect(address.socket) : connect(address.port, address.host);
    socket.setTimeout(request.timeoutMs, () => fail(new HttpError('ETIMEDOUT', 'it took too long')));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      fail(new HttpError(error.code ?? '', error.message)),
    );
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      head ??= readHead(Buffer.concat(chunks));
      if (head && received >= wholeLength(head)) finish();
    });
    socket.once('end', finish);
    socket.write(encode(address, request));

    function finish(): void {
      socket.destroy();
      const response = readResponse(Buffer.concat(chunks));
      if (response) resolve(response);
      else reject(new HttpError('ECONNRESET', 'the connection ended before the answer did'));
    }

    function fail(error: HttpError): void {
      socket.destroy();
      reject(error);
    }
  });
}

/** Nobody listens at the socket, so that nothing can have been done. */
export function isAbsent(error: HttpError): boolean {
  return error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
}

/** What a request says of itself beside what it asks. */
export function requestHeaders(address: Address, caller: string | undefined): Record<string, string> {
  return {
    Host: 'localhost',
    ...('token' in address && { Authorization: `Bearer ${plain(address.token)}` }),
    ...(caller && { 'X-Sm-Caller': plain(caller) }),
  };
}

/** What a header cannot hold is no key, as the daemon then says. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** How long the answer is in all, if its head says so; any other ends with the connection. */
function wholeLength({ headers, length }: ResponseHead): number {
  return length + Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
}

function encode(address: Address, { method, path, body, caller }: HttpRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers: Record<string, string | number> = {
    ...requestHeaders(address, caller),
    Connection: 'close',
    Accept: 'application/json',
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (body !== undefined || method !== 'GET') headers['Content-Length'] = Buffer.byteLength(text);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`;
}

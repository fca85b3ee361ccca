// One HTTP request over a unix socket. node:http would cost a fifth of the whole run of `sm status`; what is needed
// of the protocol is small: one request, one answer, then the connection is closed.
import { connect } from 'node:net';
import { Failure } from '../failure.ts';
import { type HttpResponse, type ResponseHead, readHead, readResponse } from './http-response.ts';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The key of the session that calls. */
  readonly caller?: string | undefined;
  readonly timeoutMs: number;
}

/** The answer did not come, or not whole. `code` is the system's where it has one. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function httpRequest(socketPath: string, request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let head: ResponseHead | undefined;
    const socket = connect(socketPath);
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
    socket.write(encode(request));

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

export function unreachable(socket: string, error: HttpError, method = 'GET'): Failure {
  const why =
    error.code === 'ECONNRESET' || error.code === 'EPIPE'
      ? `The daemon stopped before it answered${method === 'GET' ? '' : '; your request may or may not be done'}. See: sm logs`
      : error.code === 'ETIMEDOUT'
        ? 'The daemon does not respond. See: sm logs'
        : `Cannot reach the daemon at ${socket}: ${error.message}. Check with: sm doctor`;
  return new Failure(why, 2);
}

/** How long the answer is in all, if its head says so; any other ends with the connection. */
function wholeLength({ headers, length }: ResponseHead): number {
  return length + Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
}

function encode({ method, path, body, caller }: HttpRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Accept: application/json',
  ];
  // What a header cannot hold is no key, as the daemon then says.
  if (caller) lines.push(`X-Sm-Caller: ${caller.replace(/[^\x20-\x7e]/g, '?')}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  } else if (method !== 'GET') {
    lines.push('Content-Length: 0');
  }
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

// Reads an HTTP/1.1 answer from its bytes.
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** Of the daemon that answered, if it tells. */
  readonly version: string | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** In bytes, with the empty line that ends it. */
  readonly length: number;
}

/** Undefined while the head is not all there. */
export function readHead(bytes: Buffer): ResponseHead | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status, headers, length: end + 4 };
}

/** Undefined when the bytes are not the whole of an answer. */
export function readResponse(bytes: Buffer): HttpResponse | undefined {
  const head = readHead(bytes);
  if (!head) return undefined;
  const rest = bytes.subarray(head.length);
  const body = readBody(head, rest);
  const version = head.headers.get('x-sm-version');
  return body && { status: head.status, body: body.toString('utf8'), version };
}

function readBody({ headers }: ResponseHead, bytes: Buffer): Buffer | undefined {
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes);
  const length = headers.get('content-length');
  if (length === undefined) return bytes;
  return bytes.length >= Number(length) ? bytes.subarray(0, Number(length)) : undefined;
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (size === 0) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    if (!(size > 0) || start + size > bytes.length) return undefined;
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

// For tests: a service on loopback that hears requests and answers as it is told.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Said {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface StandInService {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** The bodies, as JSON. */
  json<T = Record<string, unknown>>(): T[];
  close(): Promise<void>;
}

/** `null`: it never answers. */
export async function standInService(
  answer: (heard: Heard) => Said | null | Promise<Said | null> = () => ({ status: 200 }),
): Promise<StandInService> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      const each = { method, path: url, headers, body: Buffer.concat(chunks) };
      heard.push(each);
      const said = await answer(each);
      if (said) response.writeHead(said.status, said.headers).end(said.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    json: <T>() => heard.map(({ body }) => JSON.parse(body.toString('utf8')) as T),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// What all stand-in models share: a server on the loopback interface that remembers what it was asked, so that a test
// can look at it or wait for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conversation } from './conversation.ts';

export interface ModelRequest<Body = unknown> extends Conversation {
  at: number;
  body: Body;
}

export interface ModelServer<Body = unknown> {
  url: string;
  /** Every request for an answer so far, oldest first. */
  requests(): readonly ModelRequest<Body>[];
  /** The first request, past or future, that the predicate accepts. */
  waitForRequest(
    wanted: (request: ModelRequest<Body>) => boolean,
    timeoutMs?: number,
  ): Promise<ModelRequest<Body>>;
  /** From now on every answer tells of these; null: none. */
  setLimits(limits: AccountLimits | null): void;
  close(): Promise<void>;
}

/** What the account behind the model may still use. */
export interface AccountLimits {
  /** In percent, and when it starts again, in seconds since 1970. */
  readonly fiveHours: { readonly used: number; readonly resetsAt: number };
  readonly week: { readonly used: number; readonly resetsAt: number };
  /** Nothing is answered until the five hours are over. */
  readonly reached: boolean;
}

export interface Interface<Body> {
  /** Answers one request whose body is read; `asked` notes it when it is one for an answer. */
  respond(
    request: IncomingMessage,
    response: ServerResponse,
    raw: string,
    asked: (body: Body, conversation: Conversation) => void,
    limits: AccountLimits | null,
  ): unknown;
  /** Refuses with an error in the words of the interface. */
  refuse(response: ServerResponse, status: number, message: string): void;
}

export async function serveModel<Body>(api: Interface<Body>): Promise<ModelServer<Body>> {
  const requests: ModelRequest<Body>[] = [];
  let limits: AccountLimits | null = null;
  const arrivals = new Set<(request: ModelRequest<Body>) => void>();
  const asked = (body: Body, conversation: Conversation) => {
    const arrived = { at: Date.now(), body, ...conversation };
    requests.push(arrived);
    for (const tell of arrivals) tell(arrived);
  };

  const server = createServer((request, response) => {
    readAll(request)
      .then((raw) => api.respond(request, response, raw, asked, limits))
      .catch((error: Error) => {
        if (response.headersSent) response.destroy(error);
        else api.refuse(response, 400, `the stand-in model could not answer: ${error.message}`);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    setLimits: (told) => {
      limits = told;
    },
    waitForRequest: (wanted, timeoutMs = 15_000) =>
      new Promise((resolve, reject) => {
        const past = requests.find(wanted);
        if (past) return resolve(past);
        const tell = (request: ModelRequest<Body>) => wanted(request) && settle(() => resolve(request));
        const timer = setTimeout(() => settle(() => reject(new Error(nothingFound(requests)))), timeoutMs);
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          arrivals.delete(tell);
          finish();
        };
        arrivals.add(tell);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const tokensIn = (raw: string) => Math.ceil(raw.length / 4);

export function json(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const nothingFound = (requests: readonly ModelRequest[]) =>
  `the model was not asked what the test waited for; prompts so far:\n${requests.map((r) => `  ${r.prompt.slice(0, 100)}`).join('\n')}`;

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

// A stand-in for the Anthropic Messages API on the loopback interface: no account, no network, and answers
// that the prompt itself scripts (see directives.ts). It is what the real agents talk to in tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './answer.ts';
import { type Conversation, type MessagesRequest, readConversation } from './conversation.ts';
import { parseScript } from './directives.ts';
import { streamAnswer, wholeAnswer } from './stream.ts';

export interface ModelRequest extends Conversation {
  at: number;
  body: MessagesRequest;
}

export interface ModelServer {
  url: string;
  /** Every request for an answer so far, oldest first. */
  requests(): readonly ModelRequest[];
  /** The first request, past or future, that the predicate accepts. */
  waitForRequest(wanted: (request: ModelRequest) => boolean, timeoutMs?: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const arrivals = new Set<(request: ModelRequest) => void>();
  const refusedOnce = new Set<string>();

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = request.url?.split('?')[0];
    const raw = await readAll(request);
    if (request.method === 'HEAD') return response.writeHead(200).end();
    if (path === '/v1/messages/count_tokens') return json(response, 200, { input_tokens: tokensIn(raw) });
    if (path !== '/v1/messages' || request.method !== 'POST') {
      return refuse(response, 404, 'not_found_error', `no such endpoint here: ${request.method} ${path}`);
    }

    const body = JSON.parse(raw) as MessagesRequest;
    const conversation = readConversation(body);
    const arrived: ModelRequest = { at: Date.now(), body, ...conversation };
    requests.push(arrived);
    for (const tell of arrivals) tell(arrived);

    // Text typed during the turn adds to what is to be done; it does not replace it.
    const script = parseScript([conversation.prompt, ...conversation.absorbed].join('\n'));
    const speaksToHuman = !conversation.wantsSummary && !conversation.isSideQuery;
    if (script.tooLong && speaksToHuman && !refusedOnce.has(conversation.prompt)) {
      refusedOnce.add(conversation.prompt);
      return refuse(
        response,
        400,
        'invalid_request_error',
        'prompt is too long: 205000 tokens > 200000 maximum',
      );
    }
    const parts = answer(conversation, script);
    const first = parts[0];
    // An error that comes first is one of the request; later ones break off the stream.
    if (first?.kind === 'fail') return refuse(response, 400, 'invalid_request_error', first.message);

    const head = { model: body.model, inputTokens: script.usage ?? tokensIn(raw) };
    if (body.stream) await streamAnswer(response, head, parts);
    else json(response, 200, wholeAnswer(head, parts));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy(error);
      else
        refuse(
          response,
          400,
          'invalid_request_error',
          `the stand-in model could not answer: ${error.message}`,
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    waitForRequest: (wanted, timeoutMs = 15_000) =>
      new Promise((resolve, reject) => {
        const past = requests.find(wanted);
        if (past) return resolve(past);
        const tell = (request: ModelRequest) => wanted(request) && settle(() => resolve(request));
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

const tokensIn = (raw: string) => Math.ceil(raw.length / 4);

const nothingFound = (requests: readonly ModelRequest[]) =>
  `the model was not asked what the test waited for; prompts so far:\n${requests.map((r) => `  ${r.prompt.slice(0, 100)}`).join('\n')}`;

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, type: string, message: string) {
  // Agents retry what may pass; a test that asks for an error wants it once.
  response.setHeader('x-should-retry', 'false');
  json(response, status, { type: 'error', error: { type, message } });
}

// The commands of sm for agents without a shell: a server of the Model Context Protocol, on standard input and output or
// on a port of the loopback interface. It is a face like the others: each call runs a command, as the session that calls.
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from './tools.ts';

export { toolsOf } from './tools.ts';

/** Who calls: the id of a session, and its key. */
export interface Caller {
  readonly id: string;
  readonly key: string;
}

export interface Serving {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Runs a command line, and gives what it prints. */
  run(argv: readonly string[], caller: Caller): Promise<{ readonly code: number; readonly text: string }>;
}

const instructions =
  'sm runs teams of coding agents as sessions and carries messages between them. You are one of these sessions. When a ' +
  'session that you have started or written to ends its turn, you are told so by a message that comes by itself: do not ' +
  'wait in a loop, end your turn.';

function serverFor({ version, tools, run }: Serving, caller: Caller): Server {
  const server = new Server({ name: 'sm', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) return said(`There is no tool ${params.name}.`, true);
    const known = Object.keys(tool.inputSchema.properties);
    const input = params.arguments ?? {};
    const unknown = Object.keys(input).find((name) => !known.includes(name));
    if (unknown !== undefined)
      return said(`${tool.name} takes no "${unknown}". It takes: ${known.join(', ')}.`, true);
    const { code, text } = await run(tool.argv(input), caller);
    return said(text.trimEnd() || 'Done.', code !== 0);
  });
  return server;
}

const said = (text: string, isError: boolean) => ({ content: [{ type: 'text' as const, text }], isError });

/** Until standard input ends. */
export async function serveStdio(serving: Serving, caller: Caller): Promise<void> {
  const server = serverFor(serving, caller);
  const over = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await over;
  await server.close();
}

/** Each request shows whose it is; nothing is kept between two of them. */
export async function serveHttp(serving: Serving, port: number): Promise<HttpServer> {
  const http = createServer((request, response) => {
    const refused = refusalOf(request);
    if (refused) return refuse(response, ...refused);
    const caller = callerIn(request);
    if (!caller) return refuse(response, 401, 'Show the key of your session: Authorization: Bearer KEY');
    void handle(serving, caller, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', resolve);
  });
  return http;
}

async function handle(serving: Serving, caller: Caller, request: IncomingMessage, response: ServerResponse) {
  const server = serverFor(serving, caller);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request, response);
}

/** A page of another host, or one that has renamed itself to this one, has no business here. */
function refusalOf({ url, method, headers }: IncomingMessage): [number, string] | null {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost'].includes(host) || headers.origin !== undefined)
    return [403, 'This is for programs on this machine.'];
  if (url !== '/mcp') return [404, 'The path is /mcp.'];
  return method === 'POST' ? null : [405, 'Only POST is answered here.'];
}

function callerIn({ headers }: IncomingMessage): Caller | null {
  const [, key = '', id = ''] = /^Bearer (([0-9a-f]+)\.\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return id === '' ? null : { id, key };
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: detail }));
}

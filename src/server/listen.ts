// The two doors: a unix socket for the owner, and TCP on loopback for the token.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Clock } from '../ports/clock.ts';
import type { Env } from './env.ts';
import { describePortOwner } from './port-owner.ts';

export interface Doors {
  readonly port: number;
  close(): Promise<void>;
}

type HookListener = (req: IncomingMessage, res: ServerResponse, via: 'unix' | 'tcp') => Promise<void>;

/** A message is answered after a second, in ms: by then it is known what came of it. */
const longestAnswer = 1_500;

/** The port is taken; the message says by whom and what to do. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

export async function openDoors(
  app: OpenAPIHono<Env>,
  hooks: HookListener,
  where: { socket: string; host: string; port: number; config: string; version: string; clock: Clock },
): Promise<Doors> {
  const tcp = serve(app, hooks, 'tcp', where.version);
  await listen(tcp, { host: where.host, port: where.port }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const owner = await describePortOwner(where.port);
    throw new PortTaken(
      `Port ${where.port} is in use by ${owner}. Set another port in ${where.config}:\n  server: { port: ${where.port + 1} }`,
    );
  });

  const unix = serve(app, hooks, 'unix', where.version);
  // Nobody else can be listening on it: we hold the lock of the state directory.
  rmSync(where.socket, { force: true });
  await listen(unix, { path: where.socket });
  chmodSync(where.socket, 0o600);

  const address = tcp.address();
  return {
    port: typeof address === 'object' && address ? address.port : where.port,
    close: async () => {
      await Promise.all([tcp, unix].map((server) => shut(server, where.clock)));
      rmSync(where.socket, { force: true });
    },
  };
}

function serve(app: OpenAPIHono<Env>, hooks: HookListener, via: 'unix' | 'tcp', version: string): Server {
  const rest = getRequestListener((request) => app.fetch(request, { via }), { overrideGlobalObjects: false });
  const server = createServer((req, res) => {
    // Whoever asks may be of another version, and should know.
    res.setHeader('x-sm-version', version);
    if (req.url?.startsWith('/hooks/')) void hooks(req, res, via).catch(() => res.destroy());
    else void rest(req, res);
  });
  // An idle connection costs nothing, and a hook's client may keep it for a while.
  server.keepAliveTimeout = 60_000;
  return server;
}

function listen(server: Server, options: object): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** What is under way gets its answer; whoever waits for something that may take long asks again. */
function shut(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const late = clock.timer(longestAnswer, () => server.closeAllConnections());
    server.close(() => {
      late.cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

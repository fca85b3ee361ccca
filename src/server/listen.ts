// The two doors: a unix socket for the owner, and TCP, on loopback unless told otherwise, for the token and the page.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Clock } from '../ports/clock.ts';
import type { Env } from './env.ts';
import type { Door } from './guard.ts';
import { mostConnections } from './open-files.ts';
import { describePortOwner } from './port-owner.ts';

export interface Doors {
  readonly port: number;
  /** Opens one at that path, for a session that has no other. */
  readonly openFor: OpenDoor;
  close(): Promise<void>;
}

export type OpenDoor = (session: string, path: string) => Promise<{ close(): Promise<void> }>;

type HookListener = (req: IncomingMessage, res: ServerResponse, door: Door) => Promise<void>;

/** A message is answered after a second, in ms: by then it is known what came of it. */
const longestAnswer = 1_500;

/** In ms: whoever says nothing, or says it too slowly, is not waited for. */
const patience = { connectionsCheckingInterval: 5_000, headersTimeout: 10_000, requestTimeout: 60_000 };

/** The port is taken; the message says by whom and what to do. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

interface Where {
  readonly socket: string;
  readonly host: string;
  readonly port: number;
  /** Files. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly behindProxy: boolean;
  readonly config: string;
  readonly version: string;
  readonly clock: Clock;
}

export async function openDoors(app: OpenAPIHono<Env>, hooks: HookListener, where: Where): Promise<Doors> {
  const tcp = serve(app, hooks, { via: 'tcp' }, where);
  await listen(tcp, { host: where.host, port: where.port }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const owner = await describePortOwner(where.port);
    throw new PortTaken(
      `Port ${where.port} is in use by ${owner}. Set another port in ${where.config}:\n  server: { port: ${where.port + 1} }`,
    );
  });

  const openAt = async (door: Door, path: string): Promise<Server> => {
    const server = serve(app, hooks, door, where);
    // Nobody else can be listening on it: we hold the lock of the state directory.
    rmSync(path, { force: true });
    await listen(server, { path });
    chmodSync(path, 0o600);
    return server;
  };
  const unix = await openAt({ via: 'unix' }, where.socket).catch((error: NodeJS.ErrnoException) => {
    tcp.close();
    throw new Error(
      `Cannot make a socket in ${dirname(where.socket)}: ${error.message}. Set SM_HOME to a directory on a disk of this system.`,
    );
  });

  const address = tcp.address();
  return {
    port: typeof address === 'object' && address ? address.port : where.port,
    async openFor(session, path) {
      const server = await openAt({ via: 'box', box: session }, path);
      return {
        async close() {
          await shut(server, where.clock);
          rmSync(path, { force: true });
        },
      };
    },
    close: async () => {
      await Promise.all([tcp, unix].map((server) => shut(server, where.clock)));
      rmSync(where.socket, { force: true });
    },
  };
}

function serve(app: OpenAPIHono<Env>, hooks: HookListener, door: Door, where: Where): Server {
  const { via } = door;
  const rest = getRequestListener(
    (request, env) => {
      const from = 'incoming' in env ? callerAddress(env.incoming as IncomingMessage, where) : '';
      return app.fetch(request, { ...door, from });
    },
    { overrideGlobalObjects: false },
  );
  const listener: RequestListener = (req, res) => {
    // Whoever asks may be of another version, and should know.
    res.setHeader('x-sm-version', where.version);
    // No other page may take an answer for a picture, a script or a style of its own.
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('cross-origin-resource-policy', 'same-origin');
    if (req.url?.startsWith('/hooks/')) void hooks(req, res, door).catch(() => res.destroy());
    else void rest(req, res);
  };
  const server =
    via === 'tcp' && where.tls
      ? createTlsServer({ ...certificate(where.tls), ...patience }, listener)
      : createServer(patience, listener);
  if (via === 'tcp') server.maxConnections = mostConnections();
  // An idle connection costs nothing, and a hook's client may keep it for a while.
  server.keepAliveTimeout = 60_000;
  return server;
}

function certificate({ cert, key }: NonNullable<Where['tls']>): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** Whoever stands in front tells the last address that it saw itself; what comes before that, anybody can write. */
function callerAddress({ headers, socket }: IncomingMessage, { behindProxy }: Where): string {
  const told = behindProxy
    ? String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : '';
  return told || (socket.remoteAddress ?? '');
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

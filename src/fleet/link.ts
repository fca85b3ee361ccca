// The connection to the fleet's servers. It is never given up: what needs it waits, and begins again each time it is there.
import { randomInt, randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, type NatsConnection, nkeyAuthenticator, type TlsOptions } from '@nats-io/transport-node';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { mailStream, nodesBucket, sessionsBucket } from './names.ts';

export interface FleetConfig {
  readonly node: string;
  readonly servers: readonly string[];
  readonly user: string | null;
  readonly password: string | null;
  /** The secret half of a key of its own. */
  readonly seed: string | null;
  /** A file, in PEM: who vouches for the servers. */
  readonly ca: string | null;
  readonly labels: readonly string[];
  /** How many servers keep what the fleet keeps. */
  readonly replicas: number;
}

/** What there is while there is a connection. */
export interface Line {
  readonly nats: NatsConnection;
  readonly js: ReturnType<typeof jetstream>;
  readonly nodes: KV;
  readonly sessions: KV;
  /** Set when this line is cut: whoever loops on it ends. */
  readonly cut: AbortSignal;
  /** No other connection is called so. */
  readonly id: string;
}

export interface Link {
  readonly line: Line | null;
  /** Why there is none. */
  readonly why: string | null;
  close(): Promise<void>;
}

/** After a failure to set up, in ms. */
const rest = 1_000;

export function openLink(
  config: FleetConfig,
  { clock, log }: { clock: Clock; log: Log },
  onLine: (line: Line) => void,
  onCut: () => void,
): Link {
  let line: Line | null = null;
  let why: string | null = 'not connected yet';
  let closed = false;
  let nats: NatsConnection | null = null;
  let cut = new AbortController();
  /** Nodes do not all begin with the same server, and one that fails is not the next to be tried. */
  let attempt = randomInt(config.servers.length);

  async function keep(): Promise<void> {
    while (!closed) {
      try {
        attempt += 1;
        nats = await connectToOne(config, attempt);
        cut = new AbortController();
        const ready = await setUp(nats, config.replicas, cut.signal);
        // It may have been closed while this one was opened.
        if (closed) break;
        line = ready;
        why = null;
        log.info({ server: nats.getServer() }, 'the fleet is reached');
        onLine(line);
        await nats.closed();
        why = 'the connection was lost';
      } catch (error) {
        why = (error as Error).message;
      }
      const had = line !== null;
      line = null;
      cut.abort();
      await nats?.close().catch(() => {});
      if (closed) break;
      if (had) {
        log.warn({ why }, 'the fleet is away');
        onCut();
      }
      await new Promise<void>((resolve) => clock.timer(rest, resolve));
    }
    await nats?.close().catch(() => {});
  }
  const keeping = keep();

  return {
    get line() {
      return line;
    },
    get why() {
      return why;
    },
    async close() {
      closed = true;
      cut.abort();
      await nats?.close().catch(() => {});
      await keeping;
    },
  };
}

function connectToOne(config: FleetConfig, attempt: number): Promise<NatsConnection> {
  const server = config.servers[attempt % config.servers.length] as string;
  return connect({
    servers: [server],
    name: config.node,
    inboxPrefix: `_INBOX.${config.node}`,
    // Whatever is under way begins anew with each connection, so that the client must not mend one by itself.
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: 5_000,
    pingInterval: 3_000,
    maxPingOut: 2,
    ...(config.user && { user: config.user, pass: config.password ?? '' }),
    ...(config.seed && { authenticator: nkeyAuthenticator(new TextEncoder().encode(config.seed)) }),
    ...(server.startsWith('tls:') && { tls: tlsFor(server, config.ca) }),
  });
}

/** Demanded, whatever the server says of itself; and by the server's own name or address, which the client checks only for names. */
function tlsFor(server: string, ca: string | null): TlsOptions {
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '');
  return { ...(ca && { caFile: ca }), host } as TlsOptions;
}

/** All nodes ask for the same, so whoever comes first makes it. */
async function setUp(nats: NatsConnection, replicas: number, cut: AbortSignal): Promise<Line> {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({
    name: mailStream,
    subjects: ['sm.mail.*.*'],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    num_replicas: replicas,
  });
  const kvm = new Kvm(nats);
  const [nodes, sessions] = await Promise.all(
    [nodesBucket, sessionsBucket].map((bucket) => kvm.create(bucket, { history: 1, replicas })),
  );
  return { nats, js: jetstream(nats), nodes: nodes as KV, sessions: sessions as KV, cut, id: randomUUID() };
}

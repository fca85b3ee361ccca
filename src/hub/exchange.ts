// Keys of nodes, and the exchange of an invitation for a place in the fleet. A file of its own: only `sm fleet` needs it.
import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  type TlsOptions,
} from '@nats-io/transport-node';
import { joinInbox, joinSubject } from './permissions.ts';

/** In ms. */
const patience = 10_000;

export interface Key {
  /** Never leaves this machine. */
  readonly seed: string;
  readonly key: string;
}

export function newKey(): Key {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), key: pair.getPublicKey() };
}

export const keyOf = (seed: string): string => nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();

interface Where {
  readonly node: string;
  readonly server: string;
  /** In PEM. */
  readonly ca: string | null;
}

/** Null: the place is ours from now on. Else why not. */
export async function exchange(where: Where, invitation: string, own: string): Promise<string | null> {
  // An answer that nobody heard: then the place is ours already.
  if (await opens(where, own)) return null;
  let nats: NatsConnection;
  try {
    nats = await connect({ ...options(where, invitation), inboxPrefix: joinInbox(where.node) });
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'AuthorizationError' && name !== 'UserAuthenticationExpiredError')
      return `the server at ${where.server} cannot be reached: ${message}`;
    return 'the invitation was used, is over, or was taken back';
  }
  try {
    const asked = JSON.stringify({ key: keyOf(own) });
    const { why } = (await nats.request(joinSubject(where.node), asked, { timeout: patience })).json<{
      why: string | null;
    }>();
    return why;
  } catch (error) {
    const isDeaf = (error as Error).name === 'NoRespondersError';
    return isDeaf
      ? 'nobody at the hub answers: its daemon must run (there: sm up)'
      : `the hub has not answered: ${(error as Error).message}. Try the same again`;
  } finally {
    await nats.close().catch(() => {});
  }
}

async function opens(where: Where, seed: string): Promise<boolean> {
  try {
    await (await connect(options(where, seed))).close();
    return true;
  } catch {
    return false;
  }
}

function options({ server, ca }: Where, seed: string): ConnectionOptions {
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '');
  return {
    servers: [server],
    reconnect: false,
    timeout: patience,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    ...(server.startsWith('tls:') && { tls: { ...(ca && { ca }), host } as TlsOptions }),
  };
}

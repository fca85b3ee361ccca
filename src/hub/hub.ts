// The list of nodes of a fleet, on the machine that is its hub, and the configuration of its NATS server, which is made from it. The
// command line and the daemon both change it, one at a time.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { exclusively } from './lock.ts';
import { joiningPermissions, nodePermissions } from './permissions.ts';

/** A key is the public half: the other never leaves the machine that made it. */
export type Credential =
  | { readonly is: 'node'; readonly key: string }
  /** Whoever has this key may exchange it for one of his own, once, until then. */
  | { readonly is: 'invited'; readonly key: string; readonly until: number };

export interface Hub {
  readonly host: string;
  readonly port: number;
  readonly nodes: Readonly<Record<string, Credential>>;
  /** The node on this machine, which may remove what others have left. */
  readonly own: string;
}

const folderIn = (home: string): string => join(home, 'fleet', 'server');
const listIn = (home: string): string => join(folderIn(home), 'nodes.json');
export const confIn = (home: string): string => join(folderIn(home), 'nats.conf');
const certIn = (home: string): string => join(folderIn(home), 'cert.pem');
const keyIn = (home: string): string => join(folderIn(home), 'key.pem');

export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(host);
export const urlOf = ({ host, port }: Hub): string =>
  `${isLoopback(host) ? 'nats' : 'tls'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

export function readHub(home: string): Hub | null {
  return existsSync(listIn(home)) ? (JSON.parse(readFileSync(listIn(home), 'utf8')) as Hub) : null;
}

/** Who vouches for the server; null: nobody needs to. */
export const certificate = (home: string): string | null =>
  existsSync(certIn(home)) ? readFileSync(certIn(home), 'utf8') : null;

/** What openssl makes a certificate for this host with. */
export function certificateArguments(home: string, host: string): string[] {
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  const name = isIP(host) ? `IP:${host}` : `DNS:${host}`;
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const whose = ['-days', '3650', '-subj', '/CN=sm-fleet', '-addext', `subjectAltName=${name}`];
  return ['req', ...kind, ...whose, '-keyout', keyIn(home), '-out', certIn(home)];
}

export function writeHub(home: string, hub: Hub): void {
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  if (existsSync(keyIn(home))) chmodSync(keyIn(home), 0o600);
  put(listIn(home), `${JSON.stringify(hub, null, 2)}\n`);
  put(confIn(home), configuration(home, hub));
}

/** Written whole, then put in place: a server that reads it meanwhile must not see a half. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Changes the list, with nobody between reading and writing it; invitations that are over are dropped. Null: this is no hub. */
export function changeHub(home: string, now: number, change: (hub: Hub) => Hub): Hub | null {
  if (!existsSync(folderIn(home))) return null;
  return exclusively(join(folderIn(home), 'lock'), () => {
    const hub = readHub(home);
    if (!hub) return null;
    const open = Object.entries(hub.nodes).filter(([, each]) => each.is === 'node' || each.until > now);
    const after = change({ ...hub, nodes: Object.fromEntries(open) });
    writeHub(home, after);
    return after;
  });
}

/** Gives whoever was invited a place of his own, by his own key; null: done, else why not. */
export function welcome(home: string, now: number, node: string, key: string): string | null {
  let why: string | null = null;
  changeHub(home, now, (hub) => {
    const before = hub.nodes[node];
    // He has not heard that it was done.
    if (before?.is === 'node' && before.key === key) return hub;
    if (before?.is === 'invited') return { ...hub, nodes: { ...hub.nodes, [node]: { is: 'node', key } } };
    why = `the invitation of ${node} was used, or it is over`;
    return hub;
  });
  return why;
}

/** Whether a server that runs was told to read its configuration again. */
export function reload(home: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folderIn(home), 'nats.pid'), 'utf8')), 'SIGHUP');
    return true;
  } catch {
    return false;
  }
}

function configuration(home: string, hub: Hub): string {
  const folder = folderIn(home);
  const users = Object.entries(hub.nodes).map(([node, { is, key }]) => ({
    nkey: key,
    permissions: is === 'node' ? nodePermissions(node, node === hub.own) : joiningPermissions(node),
  }));
  const tls = isLoopback(hub.host)
    ? []
    : [`tls { cert_file: "${certIn(home)}", key_file: "${keyIn(home)}" }`];
  return [
    '# Made by sm fleet, from nodes.json: change nothing here.',
    `listen: "${isLoopback(hub.host) ? '127.0.0.1' : '0.0.0.0'}:${hub.port}"`,
    'server_name: "sm-fleet"',
    `pid_file: "${join(folder, 'nats.pid')}"`,
    `jetstream { store_dir: "${join(folder, 'data')}" }`,
    ...tls,
    `authorization { users: ${JSON.stringify(users, null, 2)} }`,
    '',
  ].join('\n');
}

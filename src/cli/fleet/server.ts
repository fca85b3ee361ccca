// The NATS server of a fleet, on the machine that is its hub: its configuration, made from a list of nodes. Each node has a
// credential that lets it speak only as itself, and read only its own mail.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';

export interface Hub {
  readonly host: string;
  readonly port: number;
  /** Passwords, by node. */
  readonly nodes: Readonly<Record<string, string>>;
  /** The node on this machine, which may remove what others have left. */
  readonly own: string;
}

const folderIn = (home: string): string => join(home, 'fleet', 'server');
const listIn = (home: string): string => join(folderIn(home), 'nodes.json');
export const confIn = (home: string): string => join(folderIn(home), 'nats.conf');
const certIn = (home: string): string => join(folderIn(home), 'cert.pem');

export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(host);
export const urlOf = ({ host, port }: Hub): string =>
  `${isLoopback(host) ? 'nats' : 'tls'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
export const newPassword = (): string => randomBytes(24).toString('base64url');

export function readHub(home: string): Hub | null {
  return existsSync(listIn(home)) ? (JSON.parse(readFileSync(listIn(home), 'utf8')) as Hub) : null;
}

/** Who vouches for the server; null: nobody needs to. */
export const certificate = (home: string): string | null =>
  existsSync(certIn(home)) ? readFileSync(certIn(home), 'utf8') : null;

export async function makeCertificate(io: Io, home: string, host: string): Promise<void> {
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  const names = [isIP(host) ? `IP:${host}` : `DNS:${host}`, 'DNS:localhost', 'IP:127.0.0.1'];
  const key = join(folderIn(home), 'key.pem');
  const args = [
    ...[
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '3650',
    ],
    ...['-subj', '/CN=sm-fleet', '-addext', `subjectAltName=${names.join(',')}`],
    ...['-keyout', key, '-out', certIn(home)],
  ];
  if ((await io.outputOf('openssl', args)) === null)
    throw new Failure('openssl could not make a certificate for the server. Install openssl, and try again.');
  chmodSync(key, 0o600);
}

/** Written whole, then put in place: a server that reads it meanwhile must not see a half. */
export function writeHub(home: string, hub: Hub): void {
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  put(listIn(home), `${JSON.stringify(hub, null, 2)}\n`);
  put(confIn(home), configuration(home, hub));
}

function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Whether a server that runs was told. */
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
  const users = Object.entries(hub.nodes).map(([user, password]) => ({
    user,
    password,
    permissions: permissions(user, user === hub.own),
  }));
  const tls = isLoopback(hub.host)
    ? []
    : [`tls { cert_file: "${certIn(home)}", key_file: "${join(folder, 'key.pem')}" }`];
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

/** A node speaks as itself alone, and hears what is for it. */
function permissions(node: string, isHub: boolean): object {
  const whose = isHub ? '*' : node;
  const streams = ['SM_MAIL', 'KV_sm_nodes', 'KV_sm_sessions'];
  const buckets = ['KV_sm_nodes', 'KV_sm_sessions'];
  const publish = [
    `sm.mail.*.${node}`,
    `sm.call.*.${node}`,
    `$KV.sm_nodes.${whose}`,
    `$KV.sm_sessions.${whose}.>`,
    '_INBOX.>',
    '$JS.API.INFO',
    '$JS.FC.>',
    ...streams.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.INFO.${stream}`]),
    ...buckets.flatMap((stream) => [
      `$JS.API.CONSUMER.CREATE.${stream}.>`,
      `$JS.API.CONSUMER.INFO.${stream}.>`,
      `$JS.API.CONSUMER.DELETE.${stream}.>`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
      `$JS.ACK.${stream}.>`,
    ]),
    // Its own mail, by a consumer of its own name: the subject says what that may hear.
    `$JS.API.CONSUMER.CREATE.SM_MAIL.${node}.sm.mail.${node}.*`,
    `$JS.API.CONSUMER.INFO.SM_MAIL.${node}`,
    `$JS.API.CONSUMER.DELETE.SM_MAIL.${node}`,
    `$JS.API.CONSUMER.MSG.NEXT.SM_MAIL.${node}`,
    `$JS.ACK.SM_MAIL.${node}.>`,
  ];
  return { publish: { allow: publish }, subscribe: { allow: [`_INBOX.${node}.>`, `sm.call.${node}.*`] } };
}

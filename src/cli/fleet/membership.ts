// What a node keeps of the fleet that it has joined, and the text with which it was invited.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';

export interface Invitation {
  readonly node: string;
  readonly server: string;
  /** The secret half of a key that is exchanged for one of its own, once. */
  readonly seed: string;
  /** In PEM; null: the server needs nobody to vouch for it. */
  readonly ca: string | null;
}

const prefix = 'sm-fleet-2.';

export const invitationText = (invitation: Invitation): string =>
  prefix + Buffer.from(JSON.stringify(invitation)).toString('base64url');

export function readInvitation(text: string): Invitation {
  try {
    if (!text.startsWith(prefix)) throw new Error();
    const read = JSON.parse(Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8'));
    if ([read.node, read.server, read.seed].every((each) => typeof each === 'string')) return read;
  } catch {
    // Said below.
  }
  throw new Failure(
    'This is no invitation, or a part of it is missing. Paste all of what sm fleet invite printed.',
  );
}

const folderIn = (home: string): string => join(home, 'fleet');
export const fileIn = (home: string): string => join(folderIn(home), 'node.yaml');
const keyIn = (home: string): string => join(folderIn(home), 'key');
export const isMember = (home: string): boolean => existsSync(fileIn(home));

/** The secret half of the key of this machine: kept before anybody hears of the other half. */
export function ownSeed(home: string, fresh: () => string): string {
  if (existsSync(keyIn(home))) return readFileSync(keyIn(home), 'utf8').trim();
  const seed = fresh();
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
  writeFileSync(keyIn(home), `${seed}\n`, { mode: 0o600 });
  return seed;
}

export function becomeMember(
  home: string,
  { node, server, ca }: Omit<Invitation, 'seed'>,
  labels: readonly string[],
): void {
  const folder = folderIn(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o600 });
  if (ca !== null) write(join(folder, 'ca.pem'), ca);
  const lines = [
    '# How this machine takes part in its fleet. "fleet:" in the configuration comes before it.',
    `node: ${JSON.stringify(node)}`,
    `servers: [${JSON.stringify(server)}]`,
    `key_file: ${JSON.stringify(keyIn(home))}`,
    ...(ca === null ? [] : [`ca: ${JSON.stringify(join(folder, 'ca.pem'))}`]),
    `labels: ${JSON.stringify(labels)}`,
    '# What other nodes may do here: look, send, spawn, kill, answer, attach. allow_nodes says it for one of them.',
    'allow: [look, send]',
    'allow_nodes: {}',
  ];
  write(fileIn(home), `${lines.join('\n')}\n`);
}

/** What it was called. */
export function leave(home: string): string {
  const [, node = ''] = /^node: "(.*)"$/m.exec(readFileSync(fileIn(home), 'utf8')) ?? [];
  for (const file of ['node.yaml', 'key', 'ca.pem']) rmSync(join(folderIn(home), file), { force: true });
  return node;
}

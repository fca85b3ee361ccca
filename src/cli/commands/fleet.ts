// Several machines: set up the server between them, invite, join, leave, and shut out.
import { hostname } from 'node:os';
import {
  certificate,
  certificateArguments,
  changeHub,
  confIn,
  type Hub,
  isLoopback,
  readHub,
  reload,
  urlOf,
  writeHub,
} from '../../hub/hub.ts';
import { wholeNumber } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { statePaths } from '../daemon/paths.ts';
import { Failure } from '../failure.ts';
import {
  becomeMember,
  fileIn,
  type Invitation,
  invitationText,
  isMember,
  leave,
  ownSeed,
  readInvitation,
} from '../fleet/membership.ts';
import { type Io, ownSessionId } from '../io.ts';

const again = 'Then restart the daemon: sm down && sm up';
/** How long an invitation holds, in ms. */
const hour = 3_600_000;

/** Only these commands need keys. */
const keys = () => import('../../hub/exchange.ts');

export default defineCommand({
  usage:
    'init --host HOST [--port N] [--node NAME] | invite NAME | join TEXT [--label L] | leave | revoke NAME [--yes]',
  about:
    'init makes this machine the hub of a fleet: it writes the configuration of a NATS server, with TLS and a key\n' +
    'for each node. HOST is how the others reach it. invite prints a text for one other machine, join takes it there. leave\n' +
    'takes this machine out. revoke, on the hub, shuts a node out and forgets its sessions.',
  options: {
    host: { value: 'HOST', help: 'with init: name or address of this machine; 127.0.0.1 to try it' },
    port: { value: 'N', help: 'with init: port of the server (default 4222)' },
    node: { value: 'NAME', help: 'with init: what this machine is called (default: its host name)' },
    label: { value: 'L', many: true, help: 'with init and join: a word for sm spawn --on label:L' },
    yes: { help: 'with revoke: do not ask' },
  },
  arity: [1, 2],
  async run({ args: [action, given], options, io, client }) {
    if (ownSessionId(io) !== undefined)
      throw new Failure('Only a person may change the fleet. Ask yours to do it.');
    const { home } = statePaths(io);
    switch (action) {
      case 'init':
        return init(io, home, options);
      case 'invite':
        return invite(io, home, nameIn(given));
      case 'join':
        return join(io, home, readInvitation(given ?? ''), options.label);
      case 'leave':
        if (!isMember(home)) throw new Failure('This machine has joined no fleet.');
        io.out(
          `${leave(home)} has left the fleet. ${again}\nOn the hub, forget it with: sm fleet revoke NAME\n`,
        );
        return;
      case 'revoke':
        return revoke(io, client, home, nameIn(given), options.yes);
    }
    throw new Failure(
      `Unknown action "${action}": say init, invite, join, leave or revoke. See: sm fleet --help`,
    );
  },
});

interface InitOptions {
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly node: string | undefined;
  readonly label: readonly string[];
}

async function init(io: Io, home: string, { host, port, node, label }: InitOptions): Promise<void> {
  if (!host) throw new Failure('Say how other machines reach this one: sm fleet init --host HOST');
  if (readHub(home))
    throw new Failure(`This machine is a hub already; its server is configured in ${confIn(home)}.`);
  if (isMember(home)) throw new Failure('This machine has joined a fleet. Leave it first: sm fleet leave');
  const own = nameIn(node ?? hostname().split('.')[0]?.toLowerCase().replaceAll('_', '-'));
  const number = wholeNumber('--port', port, 1) || 4222;
  if (!isLoopback(host) && (await io.outputOf('openssl', certificateArguments(home, host))) === null)
    throw new Failure('openssl could not make a certificate for the server. Install openssl, and try again.');
  const { newKey, keyOf } = await keys();
  const key = keyOf(ownSeed(home, () => newKey().seed));
  const hub: Hub = { host, port: number, nodes: { [own]: { is: 'node', key } }, own };
  writeHub(home, hub);
  becomeMember(home, { node: own, server: urlOf(hub), ca: certificate(home) }, label);
  io.out(
    `This machine is the hub of a fleet, as node ${own}.\nStart its server, and keep it running: nats-server -c ${confIn(home)}\n` +
      `${again}\nInvite others: sm fleet invite NAME\n`,
  );
}

async function invite(io: Io, home: string, node: string): Promise<void> {
  const { newKey } = await keys();
  const { seed, key } = newKey();
  const hub = changedHub(io, home, (before) => {
    if (before.nodes[node]?.is === 'node')
      throw new Failure(
        `There is a node ${node}. To invite it anew, revoke it first: sm fleet revoke ${node}`,
      );
    // One that was not used is replaced.
    return { ...before, nodes: { ...before.nodes, [node]: { is: 'invited', key, until: io.now() + hour } } };
  });
  const text = invitationText({ node, server: urlOf(hub), seed, ca: certificate(home) });
  io.out(`sm fleet join ${text}\n`);
  io.err(
    `Run this on ${node}, within an hour. It works once: who is first is ${node}. If it is refused there, somebody else was.\n${reload(home) ? '' : `The server does not run; start it: nats-server -c ${confIn(home)}\n`}`,
  );
}

async function join(io: Io, home: string, invitation: Invitation, labels: readonly string[]): Promise<void> {
  if (isMember(home)) throw new Failure('This machine has joined a fleet. Leave it first: sm fleet leave');
  const { newKey, exchange } = await keys();
  const why = await exchange(
    invitation,
    invitation.seed,
    ownSeed(home, () => newKey().seed),
  );
  if (why !== null)
    throw new Failure(`Not joined: ${why}. On the hub, invite it anew: sm fleet invite ${invitation.node}`);
  becomeMember(home, invitation, labels);
  io.out(
    `This machine is node ${nameIn(invitation.node)} of the fleet at ${invitation.server}. ${again}\n` +
      `Others may look at your sessions and send to them; change that in ${fileIn(home)}\n`,
  );
}

async function revoke(io: Io, client: Client, home: string, node: string, yes: boolean): Promise<void> {
  const hub = hubIn(home);
  if (node === hub.own) throw new Failure(`${node} is the hub itself.`);
  if (!hub.nodes[node])
    throw new Failure(`No node ${node} was invited. Invited: ${Object.keys(hub.nodes).join(', ')}`);
  if (!yes && !/^y(es)?$/i.test((await io.ask(`Shut ${node} out of the fleet? [y/N] `)).trim()))
    throw new Failure('Nothing was done.');
  changedHub(io, home, (before) => {
    const { [node]: _, ...nodes } = before.nodes;
    return { ...before, nodes };
  });
  const told = reload(home);
  io.out(`${node} is shut out${told ? '' : ' as soon as the server is started'}.\n`);
  await client.ask('DELETE /nodes/{id}', { id: node });
  io.out('Its sessions are forgotten here. They go on there.\n');
}

const noHub = () =>
  new Failure('This machine is not the hub of a fleet. Run this on the hub, or make it one: sm fleet init');

function hubIn(home: string): Hub {
  const hub = readHub(home);
  if (!hub) throw noHub();
  return hub;
}

function changedHub(io: Io, home: string, change: (hub: Hub) => Hub): Hub {
  const hub = changeHub(home, io.now(), change);
  if (!hub) throw noHub();
  return hub;
}

function nameIn(name: string | undefined): string {
  if (name !== undefined && /^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new Failure(
    `A node is called by a-z, 0-9 and -, at most 32 characters${name ? `, not "${name}"` : ''}.`,
  );
}

// Several machines: set up the server between them, invite, join, leave, and shut out.
import { hostname } from 'node:os';
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
  readInvitation,
} from '../fleet/membership.ts';
import {
  certificate,
  confIn,
  type Hub,
  isLoopback,
  makeCertificate,
  newPassword,
  readHub,
  reload,
  urlOf,
  writeHub,
} from '../fleet/server.ts';
import { type Io, ownSessionId } from '../io.ts';

const again = 'Then restart the daemon: sm down && sm up';

export default defineCommand({
  usage:
    'init --host HOST [--port N] [--node NAME] | invite NAME | join TEXT [--label L] | leave | revoke NAME [--yes]',
  about:
    'init makes this machine the hub of a fleet: it writes the configuration of a NATS server, with TLS and a credential\n' +
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
  if (!isLoopback(host)) await makeCertificate(io, home, host);
  const password = newPassword();
  const hub: Hub = { host, port: wholeNumber('--port', port, 1) || 4222, nodes: { [own]: password }, own };
  writeHub(home, hub);
  becomeMember(home, { node: own, server: urlOf(hub), password, ca: certificate(home) }, label);
  io.out(
    `This machine is the hub of a fleet, as node ${own}.\nStart its server, and keep it running: nats-server -c ${confIn(home)}\n` +
      `${again}\nInvite others: sm fleet invite NAME\n`,
  );
}

function invite(io: Io, home: string, node: string): void {
  const hub = hubIn(home);
  if (hub.nodes[node])
    throw new Failure(`There is a node ${node}. To invite it anew, revoke it first: sm fleet revoke ${node}`);
  const password = newPassword();
  writeHub(home, { ...hub, nodes: { ...hub.nodes, [node]: password } });
  const text = invitationText({ node, server: urlOf(hub), password, ca: certificate(home) });
  io.out(`sm fleet join ${text}\n`);
  io.err(
    `Run this on ${node}. Keep it secret: who has it can be ${node} until you revoke that.\n${reload(home) ? '' : `The server does not run; start it: nats-server -c ${confIn(home)}\n`}`,
  );
}

function join(io: Io, home: string, invitation: Invitation, labels: readonly string[]): void {
  if (isMember(home)) throw new Failure('This machine has joined a fleet. Leave it first: sm fleet leave');
  becomeMember(home, invitation, labels);
  io.out(
    `This machine is node ${nameIn(invitation.node)} of the fleet at ${invitation.server}. ${again}\n` +
      `Others may look at your sessions and send to them; change that in ${fileIn(home)}\n`,
  );
}

async function revoke(io: Io, client: Client, home: string, node: string, yes: boolean): Promise<void> {
  const hub = hubIn(home);
  const { [node]: known, ...nodes } = hub.nodes;
  if (node === hub.own) throw new Failure(`${node} is the hub itself.`);
  if (!known) throw new Failure(`No node ${node} was invited. Invited: ${Object.keys(nodes).join(', ')}`);
  if (!yes && !/^y(es)?$/i.test((await io.ask(`Shut ${node} out of the fleet? [y/N] `)).trim()))
    throw new Failure('Nothing was done.');
  writeHub(home, { ...hub, nodes });
  const told = reload(home);
  io.out(`${node} is shut out${told ? '' : ' as soon as the server is started'}.\n`);
  await client.ask('DELETE /nodes/{id}', { id: node });
  io.out('Its sessions are forgotten here. They go on there.\n');
}

function hubIn(home: string): Hub {
  const hub = readHub(home);
  if (hub) return hub;
  throw new Failure(
    'This machine is not the hub of a fleet. Run this on the hub, or make it one: sm fleet init',
  );
}

function nameIn(name: string | undefined): string {
  if (name !== undefined && /^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new Failure(
    `A node is called by a-z, 0-9 and -, at most 32 characters${name ? `, not "${name}"` : ''}.`,
  );
}

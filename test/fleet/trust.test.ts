// A hub with TLS and a credential for each node: set up, joined and shut out by commands, and held to by the server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { eventually, freePort, type Nats, startNats } from './fleet.ts';

let nats: Nats;
let hub: TestDaemon;
let gpu: TestDaemon;
/** Off loopback, as far as sm is concerned: so TLS is demanded. */
const host = '127.0.0.2';

const sm = async (daemon: TestDaemon, ...args: string[]) => {
  const ran = await daemon.sm(...args);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return ran.stdout;
};

async function again(daemon: TestDaemon): Promise<void> {
  await daemon.stop();
  await daemon.start();
}

beforeAll(async () => {
  [hub, gpu] = await Promise.all([startTestDaemon(), startTestDaemon()]);
  const port = await freePort();
  await sm(hub, 'fleet', 'init', '--host', host, '--port', String(port), '--node', 'hub', '--label', 'home');
  nats = await startNats({ file: join(hub.home, 'fleet/server/nats.conf'), url: `tls://${host}:${port}` });
  await again(hub);
  const invitation = (await sm(hub, 'fleet', 'invite', 'gpu1')).trim();
  expect(invitation).toMatch(/^sm fleet join sm-fleet-1\.\S+$/);
  await sm(gpu, ...invitation.split(' ').slice(1), '--label', 'gpu');
  await again(gpu);
});

afterAll(async () => {
  await Promise.all([hub?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

test('the nodes find each other over TLS, and write to each other', async () => {
  await gpu.call('POST', '/sessions', { working_dir: gpu.work, name: 'worker', provider: 'scripted' });
  await gpu.untilSession('worker', ({ phase }) => phase === 'idle');
  const { stdout } = await eventually(
    () => hub.sm('nodes'),
    (each) => /gpu1 +here +1 .* gpu\n/.test(each.stdout),
  );
  expect(stdout).toMatch(/hub \(this one\) +here .* home\n/);
  expect(await sm(hub, 'send', 'worker@gpu1', '[[say over TLS]]', '--wait', '30')).toContain('over TLS');
});

/** Somebody with the credential of gpu1, and bad intentions. */
async function asGpu<T>(work: (nats: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({
    servers: nats.url,
    user: 'gpu1',
    pass: readFileSync(join(gpu.home, 'fleet/password'), 'utf8').trim(),
    tls: { caFile: join(gpu.home, 'fleet/ca.pem') },
    inboxPrefix: '_INBOX.gpu1',
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** What the server says to a message on that subject; null: nothing against it. */
const objection = (subject: string) =>
  asGpu(async (connection) => {
    const said = connection.status()[Symbol.asyncIterator]();
    const refused = said.next().then(({ value }) => JSON.stringify(value));
    connection.publish(subject, '{}');
    await connection.flush();
    return Promise.race([refused, new Promise<null>((resolve) => setTimeout(resolve, 300, null))]);
  });

test.each([
  'sm.mail.gpu1.hub',
  'sm.call.hub.laptop',
  '$KV.sm_nodes.hub',
  '$KV.sm_sessions.hub.x',
  'sm.mail.hub',
])('a credential cannot be used to speak as another node: %s', async (subject) => {
  expect(await objection(subject)).toContain(subject);
});

test('what it may say is not objected to', async () => {
  expect(await objection('sm.call.hub.gpu1')).toBeNull();
});

test('a credential cannot be used to read the mail of another node, nor to change the streams', async () => {
  await asGpu(async (connection) => {
    const manager = await jetstreamManager(connection, { timeout: 1_000 });
    await expect(
      manager.consumers.add('SM_MAIL', {
        name: 'gpu1',
        durable_name: 'gpu1',
        filter_subject: 'sm.mail.hub.*',
      }),
    ).rejects.toThrow();
    await expect(manager.streams.getMessage('SM_MAIL', { seq: 1 })).rejects.toThrow();
    await expect(manager.streams.delete('SM_MAIL')).rejects.toThrow();
    await expect(manager.streams.purge('SM_MAIL')).rejects.toThrow();
  });
});

test('a node that is revoked is shut out at once, and forgotten with its sessions', async () => {
  const refused = await hub.sm('fleet', 'revoke', 'nobody', '--yes');
  expect(refused.stderr).toContain('No node nobody was invited');
  await eventually(
    () => hub.sm('all'),
    ({ stdout }) => stdout.includes('worker'),
  );
  await sm(hub, 'fleet', 'revoke', 'gpu1', '--yes');
  await eventually(
    () => hub.sm('all'),
    ({ stdout }) => !stdout.includes('worker'),
  );
  expect((await hub.sm('nodes')).stdout).not.toContain('gpu1');
  const { stderr } = await eventually(
    () => gpu.sm('nodes'),
    (each) => /Authorization/i.test(each.stderr),
  );
  expect(stderr).toContain('cannot be reached');
  await sm(gpu, 'fleet', 'leave');
  await again(gpu);
  expect(await sm(gpu, 'nodes')).toContain('No fleet');
});

// A hub with TLS and a credential for each node: set up, joined and shut out by commands, and held to by the server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { eventually, freePort, type Nats, startNats } from './fleet.ts';

let nats: Nats;
let hub: TestDaemon;
let gpu: TestDaemon;
/** The command that gpu1 has joined with. */
let joining: string[];
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
  expect(invitation).toMatch(/^sm fleet join sm-fleet-2\.\S+$/);
  joining = invitation.split(' ').slice(1);
  // The server is told to read its configuration again, and nobody hears when it has.
  await eventually(
    () => gpu.sm(...joining, '--label', 'gpu'),
    ({ code }) => code === 0,
  );
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

const as = (seed: string) => ({
  authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
  tls: { caFile: join(gpu.home, 'fleet/ca.pem'), host },
});

describe('an invitation', () => {
  test('works once: whoever comes second is refused, and the first stays', async () => {
    const other = await startTestDaemon();
    try {
      const { code, stderr } = await other.sm(...joining);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('Not joined: the invitation was used, is over, or was taken back.'),
      ]);
      expect(await sm(other, 'nodes')).toContain('No fleet');
      expect((await hub.sm('nodes')).stdout).toMatch(/gpu1 +here/);
    } finally {
      await other.dispose();
    }
  });

  test('carries no secret of the node, and the hub keeps none', () => {
    const seed = readFileSync(join(gpu.home, 'fleet/key'), 'utf8').trim();
    const text = Buffer.from((joining[2] as string).split('.')[1] as string, 'base64url').toString();
    const kept = ['nats.conf', 'nodes.json'].map((file) =>
      readFileSync(join(hub.home, 'fleet/server', file), 'utf8'),
    );
    for (const each of [text, ...kept]) expect(each).not.toContain(seed);
  });

  test('that was not used is replaced by a new one, and can be taken back', async () => {
    const invite = async () => (await sm(hub, 'fleet', 'invite', 'late')).trim().split(' ').slice(1);
    const [first, second] = [await invite(), await invite()];
    const other = await startTestDaemon();
    try {
      await eventually(
        () => other.sm(...first),
        ({ stderr }) => stderr.includes('was taken back'),
      );
      await sm(hub, 'fleet', 'revoke', 'late', '--yes');
      await eventually(
        () => other.sm(...second),
        ({ stderr }) => stderr.includes('was taken back'),
      );
    } finally {
      await other.dispose();
    }
  });

  test('lets whoever has it ask for that one place, and see and say nothing else', async () => {
    const [, , text = ''] = (await sm(hub, 'fleet', 'invite', 'guest')).trim().split(' ').slice(1);
    const { seed } = JSON.parse(Buffer.from(text.split('.')[1] as string, 'base64url').toString());
    const guest = await eventually(
      () => connect({ servers: nats.url, ...as(seed), inboxPrefix: '_INBOX.join.guest' }).catch(() => null),
      (connection) => connection !== null,
    );
    try {
      for (const subject of ['sm.join.gpu1', 'sm.mail.gpu1.guest', 'sm.call.gpu1.guest'])
        expect(await objectionTo(guest as NatsConnection, subject)).toContain(subject);
      const manager = jetstreamManager(guest as NatsConnection, { timeout: 500 });
      await expect(manager).rejects.toThrow();
    } finally {
      await guest?.close();
    }
  });
});

/** Somebody with the credential of gpu1, and bad intentions. */
async function asGpu<T>(work: (nats: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({
    servers: nats.url,
    ...as(readFileSync(join(gpu.home, 'fleet/key'), 'utf8').trim()),
    inboxPrefix: '_INBOX.gpu1',
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** What the server says to a message on that subject; null: nothing against it. */
async function objectionTo(connection: NatsConnection, subject: string): Promise<string | null> {
  const said = connection.status()[Symbol.asyncIterator]();
  const refused = said.next().then(({ value }) => JSON.stringify(value));
  connection.publish(subject, '{}');
  // The server answers in order: an objection comes before the answer to the flush.
  await connection.flush();
  return Promise.race([refused, new Promise<null>((resolve) => setImmediate(resolve, null))]);
}

const objection = (subject: string) => asGpu((connection) => objectionTo(connection, subject));

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

// What sessions tell each other by themselves also goes over the network: reminders, questions to a parent, locks, waits; and what nodes say of
// themselves.
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NodeView } from '../../src/protocol/node.ts';
import { eventually, type Nats, type Node, startNats, startNode, traceOf } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;

beforeAll(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, {
      labels: ['gpu', 'big'],
      allow: ['look', 'send', 'spawn', 'kill', 'answer'],
    }),
  ]);
  await laptop.agent('boss');
  await until(async () => (await nodeOf('gpu1'))?.state === 'here');
});

afterAll(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

const until = (fits: () => Promise<boolean>) => eventually(fits, (isSo) => isSo);
const nodeOf = async (name: string): Promise<NodeView | undefined> =>
  (await laptop.call<{ nodes: NodeView[] }>('GET', '/nodes')).body.nodes.find((each) => each.name === name);

async function texts(node: Node, session: string): Promise<string[]> {
  const { body } = await node.call<{ messages: { text: string }[] }>('GET', `/sessions/${session}/messages`);
  return body.messages.map(({ text }) => text);
}

/** The only one of the texts to a session that fits. */
async function told(node: Node, session: string, pattern: RegExp): Promise<string> {
  const fitting = async () => (await texts(node, session)).filter((text) => pattern.test(text));
  const found = await eventually(fitting, (all) => all.length > 0);
  expect(found).toHaveLength(1);
  return found[0] as string;
}

/** A child of the boss on the other node. */
async function child(name: string, prompt: string): Promise<string> {
  const { body } = await laptop.call('POST', '/sessions/spawn', {
    ...{ on: 'gpu1', provider: 'scripted', prompt, name, working_dir: gpu.work },
    parent_session_id: 'boss',
  });
  expect(body).toHaveProperty('session_id');
  return String(body.session_id);
}

test('a parent hears what its child on another node asks, and a person answers it from here', async () => {
  const id = await child('asker', '[[ask rm x]]');
  const text = await told(laptop, 'boss', /asker .*is blocked until a human answers/s);
  expect(text).toContain(`asker (${id})`);
  const { code, stderr } = await laptop.sm('answer', 'asker@gpu1', 'allow');
  expect([code, stderr]).toEqual([0, '']);
  await gpu.untilSession('asker', ({ phase }) => phase === 'idle');
});

test('a message with a reminder reminds the session there', async () => {
  await child('slow', 'begin');
  await gpu.untilSession('slow', ({ phase }) => phase === 'idle');
  await laptop.call('POST', '/sessions/slow@gpu1/input', {
    ...{ text: '[[sleep 4]]', sender_session_id: 'boss' },
    ...{ remind_soft_threshold: 1, remind_hard_threshold: 600 },
  });
  await told(gpu, 'slow', /\[sm remind\] Update your status/);
});

test('a session waits for one of another node, and hears once, by its name there', async () => {
  const id = await child('busy', '[[sleep 2]]');
  const { status } = await laptop.call(
    'POST',
    '/sessions/busy@gpu1/watch?watcher_session_id=boss&timeout_seconds=60',
  );
  expect(status).toBe(200);
  expect(await told(laptop, 'boss', /busy .*is idle/)).toBe(`[sm] busy (${id}) is idle.`);
});

test('a parent takes the lock of its child there away: the child hears it, and so does who waits for it', async () => {
  const id = (await child('holder', 'begin')).replace('@gpu1', '');
  await gpu.untilSession(id, ({ phase }) => phase === 'idle');
  await gpu.agent('waiter');
  await gpu.call('POST', `/sessions/${id}/lock`, { reason: 'release', requester_session_id: id });
  await gpu.call('POST', '/sessions/waiter/lock', {
    ...{ reason: 'tests', wait_seconds: 600, requester_session_id: 'waiter' },
  });
  const released = await laptop.call('DELETE', '/sessions/holder@gpu1/lock', {
    requester_session_id: 'boss',
  });
  expect(released).toMatchObject({ status: 200 });
  await told(gpu, id, /Your lock on .* was released by your parent \(\w+@laptop\)/);
  await told(gpu, 'waiter', /is free/);
});

describe('sm nodes', () => {
  test('tells the labels, the load, the version, the latency and the clock of each', async () => {
    await until(async () => typeof (await nodeOf('gpu1'))?.clock_offset_ms === 'number');
    await until(async () => (await nodeOf('gpu1'))?.latency_ms !== null);
    const node = await nodeOf('gpu1');
    expect(node).toMatchObject({ labels: ['gpu', 'big'], load: expect.any(Number), state: 'here' });
    expect(Math.abs(node?.clock_offset_ms as number)).toBeLessThan(5_000);
  });

  test('lists a node that speaks another version, refuses it with a sentence, and mail for it waits', async () => {
    const connection = await connect({ servers: nats.url });
    try {
      const bucket = await new Kvm(connection).open('sm_nodes');
      const said = { version: '9.0.0', labels: [], load: 0, sessions: 0, latency: null };
      for (const [name, protocol] of [
        ['future', 4],
        ['neighbour', 3],
      ])
        await bucket.put(String(name), JSON.stringify({ ...said, protocol }));
      await until(async () => (await nodeOf('future'))?.state === 'refused');
      expect((await nodeOf('neighbour'))?.state).toBe('here');
      const sent = await laptop.call('POST', '/sessions/somebody@future/input', { text: 'hello' });
      expect(sent.body).toMatchObject({ state: 'queued', why: expect.stringContaining('upgrade sm here') });
      const { way } = await traceOf(laptop, String(sent.body.message_id));
      expect(way?.left_at).toBeNull();
    } finally {
      await connection.close();
    }
  });
});

describe('from the network', () => {
  test('mail that makes no sense is dropped, and what comes after it is taken', async () => {
    await gpu.agent('target');
    await until(async () => (await laptop.sm('all')).stdout.includes('target'));
    const connection = await connect({ servers: nats.url });
    const js = jetstream(connection);
    for (const text of ['{', '[]', '[{"kind":"letter"}]', '{"kind":"post","id":"x"}', '"x"'])
      await js.publish('sm.mail.gpu1.laptop', text);
    await connection.close();
    const { stdout } = await laptop.sm('send', 'target@gpu1', '[[say still here]]', '--wait', '30');
    expect(stdout).toContain('still here');
  });

  test('no more than so many calls of one node are answered at once', async () => {
    const connection = await connect({ servers: nats.url });
    const held = { method: 'GET', path: '/events?session=target', body: null, after: null, from: null };
    const ask = JSON.stringify({ ...held, accept: 'text/event-stream' });
    const statuses: string[] = [];
    connection.subscribe('_INBOX.test.>', {
      callback: (_, message) => void statuses.push(message.headers?.get('status') ?? ''),
    });
    for (let n = 0; n < 70; n += 1)
      connection.publish('sm.call.gpu1.flood', ask, { reply: `_INBOX.test.${n}` });
    await until(async () => statuses.includes('429'));
    await connection.close();
  });
});

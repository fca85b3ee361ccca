// Two nodes on a real NATS server: messages from one to the other, and what comes back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type Nats, type Node, startNats, startNode, traceOf } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;

beforeAll(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, { labels: ['gpu'] }),
  ]);
});

afterAll(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

test('each node knows the other, and its sessions', async () => {
  const worker = await gpu.agent('worker');
  const all = await eventually(
    () => laptop.sm('all'),
    ({ stdout }) => stdout.includes('idle'),
  );
  expect(all.stdout).toMatch(new RegExp(`worker +${worker.id}@gpu1 +gpu1 +idle`));
  expect((await laptop.sm('all', '--here')).stdout).not.toContain('worker');
  const nodes = await eventually(
    () => laptop.sm('nodes'),
    ({ stdout }) => /gpu1 +here +1/.test(stdout),
  );
  expect(nodes.stdout).toContain('laptop (this one)');
});

test('a message from a person reaches a session of another node, with evidence', async () => {
  const { code, stdout } = await laptop.sm('send', 'worker@gpu1', '[[say hello from afar]]', '--json');
  expect(code).toBe(0);
  const sent = JSON.parse(stdout);
  const { message_id: id } = Array.isArray(sent) ? sent[0] : (sent.messages?.[0] ?? sent);
  const trace = await eventually(
    () => traceOf(laptop, id),
    ({ message }) => message.state === 'answered',
  );
  expect(trace.events.map(({ state }) => state)).toEqual(['queued', 'typed', 'accepted', 'answered']);
  expect(trace.way?.left_at).not.toBeNull();
  const text = (await laptop.sm('trace', id)).stdout;
  expect(text).toMatch(/laptop: queued for node gpu1/);
  expect(text).toMatch(/gpu1: accepted .*hook/);
});

test('a session hears that a session of another node has finished, and who it is', async () => {
  const boss = await laptop.agent('boss');
  await laptop.call('POST', '/sessions/worker@gpu1/input', {
    text: '[[say the build is green]]',
    sender_session_id: 'boss',
  });
  const notice = await laptop.until(
    boss.id,
    (event) => event.type === 'message' && event.state === 'accepted',
  );
  const { body } = await laptop.call<{ message: { text: string } }>('GET', `/messages/${notice.message}`);
  expect(body.message.text).toContain('worker');
  expect(body.message.text).toContain('the build is green');
  const got = await gpu.call<{ messages: { from: object }[] }>('GET', '/sessions/worker/messages');
  expect(got.body.messages[0]?.from).toEqual({ kind: 'session', id: `${boss.id}@laptop`, name: 'boss' });
});

test('the bare name does while it is unique, and what nobody has told of is refused', async () => {
  expect((await laptop.sm('send', 'worker', 'hi')).stdout).toContain('worker');
  const unknown = await laptop.sm('send', 'nobody@gpu1', 'hi');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('No session "nobody"');
});

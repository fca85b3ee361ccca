// Who has something to do with a node hears once that it is away, and once that it is back, over restarts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, type Nats, type Node, startNats, startNode } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;

beforeEach(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, { allow: ['look', 'send', 'spawn'] }),
  ]);
});

afterEach(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

const nodes = (shown: RegExp) =>
  eventually(
    () => laptop.sm('nodes'),
    ({ stdout }) => shown.test(stdout),
  );

async function notices(of = 'boss'): Promise<string[]> {
  const { body } = await laptop.call<{ messages: { text: string }[] }>('GET', `/sessions/${of}/messages`);
  return body.messages.map(({ text }) => text).filter((text) => text.startsWith('[sm] Node'));
}

test('a parent is told once that the node of its child is away, and once that it is back', async () => {
  await nodes(/gpu1 +here/);
  await laptop.agent('boss');
  await laptop.agent('bystander');
  const { body } = await laptop.call('POST', '/sessions/spawn', {
    on: 'gpu1',
    provider: 'scripted',
    prompt: 'x',
    working_dir: gpu.work,
    name: 'child',
    parent_session_id: 'boss',
  });
  await nodes(/gpu1 +here +1/);
  await gpu.crash();
  await eventually(
    () => notices(),
    (all) => all.length > 0,
  );
  const away = `[sm] Node gpu1 is away: child (${body.session_id}) cannot be reached. Agents there go on; messages to them wait.`;
  expect(await notices()).toEqual([away]);
  // Nobody is told again by a daemon that has forgotten that it has told.
  await laptop.crash();
  await laptop.start();
  await nodes(/gpu1 +away/);
  expect(await notices()).toEqual([away]);
  await gpu.start();
  await eventually(
    () => notices(),
    (all) => all.length > 1,
  );
  await nodes(/gpu1 +here/);
  expect(await notices()).toEqual([`[sm] Node gpu1 is back, with child (${body.session_id}).`, away]);
  const { body: others } = await laptop.call<{ messages: unknown[] }>('GET', '/sessions/bystander/messages');
  expect(others.messages).toEqual([]);
});

test('who waits for a session there hears the same, once, and then how the wait ends', async () => {
  await nodes(/gpu1 +here/);
  await laptop.agent('waiter');
  const { id } = await gpu.agent('busy');
  await gpu.call('POST', '/sessions/busy/input', { text: '[[hang]]' });
  await gpu.untilSession('busy', ({ phase }) => phase === 'working');
  await nodes(/gpu1 +here +1/);
  const path = '/sessions/busy@gpu1/watch?watcher_session_id=waiter&timeout_seconds=600';
  expect((await laptop.call('POST', path)).status).toBe(200);
  await gpu.crash();
  const away = `[sm] Node gpu1 is away: busy (${id}@gpu1) cannot be reached. Agents there go on; messages to them wait.`;
  await eventually(
    () => notices('waiter'),
    (all) => all.length > 0,
  );
  await gpu.start();
  await eventually(
    () => notices('waiter'),
    (all) => all.length > 1,
  );
  expect(await notices('waiter')).toEqual([`[sm] Node gpu1 is back, with busy (${id}@gpu1).`, away]);
  await gpu.call('POST', '/sessions/busy/interrupt', {});
  const { body } = await eventually(
    () => laptop.call<{ messages: { text: string }[] }>('GET', '/sessions/waiter/messages'),
    (answer) => answer.body.messages.length > 2,
  );
  expect(body.messages[0]?.text).toBe(`[sm] busy (${id}@gpu1) is idle.`);
});

test('a call to a node that is away is refused at once', async () => {
  await gpu.agent('worker');
  await nodes(/gpu1 +here +1/);
  await gpu.stop();
  await nodes(/gpu1 +away/);
  const began = Date.now();
  const { code, stderr } = await laptop.sm('output', 'worker@gpu1');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('Node gpu1 cannot be asked: node gpu1 is away'),
  ]);
  expect(Date.now() - began).toBeLessThan(3_000);
});

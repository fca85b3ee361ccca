// Every command works on a session of another node, as far as that node lets it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, type Nats, type Node, startNats, startNode } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;
const all = ['look', 'send', 'spawn', 'kill', 'answer', 'attach'];

beforeAll(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, { labels: ['gpu'], allow_nodes: { laptop: all } }),
  ]);
  await eventually(
    () => laptop.sm('nodes'),
    ({ stdout }) => /gpu1 +here/.test(stdout),
  );
});

afterAll(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

const ok = async (node: Node, ...args: string[]) => {
  const ran = await node.sm(...args);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return ran.stdout;
};

test('a session is started on another node, by its name or by a label, and its first turn is waited for', async () => {
  const out = await ok(
    laptop,
    'spawn',
    'scripted',
    '[[say trained]]',
    '--on',
    'gpu1',
    '--working-dir',
    gpu.work,
    '--name',
    'train',
    '--wait',
    '30',
  );
  expect(out).toMatch(/Spawned train \(\w+@gpu1\)/);
  expect(out).toContain('trained');
  const labelled = await ok(
    laptop,
    'spawn',
    'scripted',
    'x',
    '--on',
    'label:gpu',
    '--working-dir',
    gpu.work,
    '--name',
    'other',
    '--json',
  );
  const { session_id, message_id } = JSON.parse(labelled);
  expect(session_id).toMatch(/@gpu1$/);
  await eventually(
    () => laptop.sm('trace', message_id),
    ({ stdout }) => stdout.includes('accepted'),
  );
  await ok(gpu, 'kill', 'other');
  const nowhere = await laptop.sm('spawn', 'scripted', 'x', '--on', 'label:none');
  expect(nowhere.stderr).toContain('No node that is here has the label "none"');
});

test('it is looked at, named, given a task, waited for, interrupted, cleared, killed and restored from afar', async () => {
  const { id } = await gpu.agent('worker');
  await eventually(
    () => laptop.sm('all'),
    ({ stdout }) => stdout.includes('worker'),
  );
  expect(await ok(laptop, 'output', 'worker@gpu1')).not.toBe('');
  expect(await ok(laptop, 'tail', 'worker@gpu1')).toContain('ready');
  await ok(laptop, 'name', 'worker@gpu1', 'runner');
  expect((await gpu.session(id)).friendly_name).toBe('runner');
  await eventually(
    () => laptop.sm('all'),
    ({ stdout }) => stdout.includes('runner'),
  );
  expect(await ok(laptop, 'send', 'runner@gpu1', '[[say done it]]', '--wait', '30')).toContain('done it');
  expect(await ok(laptop, 'wait', 'runner@gpu1', '30')).toContain('is idle');
  await ok(laptop, 'send', 'runner@gpu1', '[[sleep 60]]');
  await gpu.untilSession(id, ({ phase }) => phase === 'working');
  await ok(laptop, 'interrupt', 'runner@gpu1');
  await gpu.untilSession(id, ({ phase }) => phase === 'idle');
  await ok(laptop, 'clear', 'runner@gpu1');
  expect((await gpu.session(id)).context.number).toBe(2);
  await ok(laptop, 'kill', `${id}@gpu1`);
  await ok(laptop, 'restore', `${id}@gpu1`);
  await gpu.untilSession(id, ({ phase }) => phase === 'idle');
});

describe('a session acts on those of another node by its own name', () => {
  test('it hears when its child there has ended a turn, and when it waits for one', async () => {
    const boss = await laptop.agent('boss');
    const { body } = await laptop.call('POST', '/sessions/spawn', {
      on: 'gpu1',
      provider: 'scripted',
      prompt: '[[say first turn over]]',
      working_dir: gpu.work,
      name: 'child',
      parent_session_id: 'boss',
    });
    const heard = (text: string) =>
      eventually(
        async () =>
          (await laptop.call<{ messages: { text: string }[] }>('GET', '/sessions/boss/messages')).body
            .messages,
        (messages) => messages.some((each) => each.text.includes(text)),
      );
    await heard('first turn over');
    const there = String(body.session_id).replace('@gpu1', '');
    expect((await gpu.session(there)).parent_session_id).toBe(`${boss.id}@laptop`);
    await laptop.call('POST', `/sessions/child@gpu1/input`, { text: '[[sleep 2]]' });
    await gpu.untilSession(there, ({ phase }) => phase === 'working');
    const watched = await laptop.call(
      'POST',
      `/sessions/child@gpu1/watch?watcher_session_id=${boss.id}&timeout_seconds=30`,
    );
    expect(watched.status).toBe(200);
    await heard('is idle');
  });

  test('a stranger may not kill it: its owner decides, by the same table as at home', async () => {
    await laptop.agent('stranger');
    await gpu.agent('victim');
    await eventually(
      () => laptop.sm('all'),
      ({ stdout }) => stdout.includes('victim'),
    );
    const { status, body } = await laptop.call('POST', '/sessions/victim@gpu1/kill', {
      requester_session_id: 'stranger',
    });
    expect(status).toBe(403);
    expect(body.detail).toMatch(/Only the parent of victim \(\w+\), or a person, may kill it/);
  });
});

describe('what a node does not allow', () => {
  test('is refused with a sentence that names it; by default others may look and send', async () => {
    const { id } = await laptop.agent('mine');
    await eventually(
      () => gpu.sm('all'),
      ({ stdout }) => stdout.includes('mine'),
    );
    const killed = await gpu.sm('kill', 'mine@laptop');
    expect(killed.code).toBe(1);
    expect(killed.stderr).toContain(
      'Node laptop does not let node gpu1 do this: "kill" is not in its fleet.allow',
    );
    expect(await ok(gpu, 'send', 'mine@laptop', 'hello', '--wait', '30')).toContain('mine');
    expect((await laptop.session(id)).phase).toBe('idle');
  });

  test('cannot be asked for at all if it is not about sessions', async () => {
    const { status, body } = await laptop.call('POST', '/sessions/victim@gpu1/invalidate-cache', {});
    expect(status).toBe(403);
    expect(body.detail).toContain('cannot be asked for from another node');
  });
});

test('an answer longer than a message of NATS comes whole', async () => {
  const { id } = await gpu.agent('chatty');
  await eventually(
    () => laptop.sm('all'),
    ({ stdout }) => stdout.includes('chatty'),
  );
  const text = 'x'.repeat(400_000);
  for (const n of [1, 2, 3]) await gpu.call('POST', `/sessions/${id}/input`, { text: `${n}${text}` });
  const { body } = await laptop.call<{ messages: { text: string }[] }>(
    'GET',
    '/sessions/chatty@gpu1/messages',
  );
  expect(body.messages.map((each) => each.text.length)).toEqual([400_001, 400_001, 400_001]);
});

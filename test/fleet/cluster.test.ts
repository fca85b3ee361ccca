// Three nodes on a cluster of three servers with replicated streams: a manager steers workers on two others while links are
// cut, servers are killed and daemons die. The agents' own records judge: nothing lost, nothing twice, the order kept.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { eventually, type Node, startNode, traceOf } from './fleet.ts';
import { layWire, type Wire } from './wire.ts';

let cluster: Cluster;
const wires: Wire[] = [];
const nodes: Node[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  for (const name of ['laptop', 'gpu1', 'gpu2']) {
    const wire = await layWire(cluster.ports);
    wires.push(wire);
    nodes.push(await startNode(name, wire.servers, { replicas: 3, allow: ['look', 'send', 'spawn'] }));
  }
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.dispose()));
  await Promise.all(wires.map((wire) => wire.dispose()));
  await cluster?.dispose();
});

const heardOf = (node: Node, shown: RegExp) =>
  eventually(
    () => node.sm('nodes'),
    ({ stdout }) => shown.test(stdout),
  );

function given(transcript: string): string[] {
  if (!existsSync(transcript)) return [];
  const lines = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
  const prompts = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user');
  return prompts.flatMap(({ message }) =>
    [...JSON.stringify(message?.content ?? '').matchAll(/\[sm\] from [^#]*#([a-z0-9]{8}):/g)].map(
      (hit) => hit[1] as string,
    ),
  );
}

test('whatever is cut or killed, every message arrives once and in order, and its sender hears of it', async () => {
  const [laptop, gpu1, gpu2] = nodes as [Node, Node, Node];
  const [, wire1, wire2] = wires as [Wire, Wire, Wire];
  await heardOf(laptop, /gpu1 +here[\s\S]*gpu2 +here/);
  const boss = await laptop.agent('boss');
  const workers: { id: string; transcript: string; sent: string[] }[] = [];
  for (const [at, node] of [gpu1, gpu2].entries()) {
    const { body } = await laptop.call('POST', '/sessions/spawn', {
      ...{
        on: node.name,
        provider: 'scripted',
        prompt: 'begin',
        name: `worker${at}`,
        working_dir: node.work,
      },
      parent_session_id: boss.id,
    });
    const id = String(body.session_id);
    const view = await node.untilSession(id.replace(/@.*/, ''), (each) => each.transcript_path !== null);
    workers.push({
      id,
      transcript: view.transcript_path as string,
      sent: [String(body.message_id).replace(/@.*/, '')],
    });
  }

  async function send(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1)
      for (const { id, sent } of workers) {
        const text = `number ${sent.length}`;
        const { body } = await laptop.call('POST', `/sessions/${encodeURIComponent(id)}/input`, { text });
        expect(body).toHaveProperty('message_id');
        sent.push(String(body.message_id));
      }
  }
  const faults: [string, () => Promise<unknown>, () => unknown][] = [
    ['a link is cut', async () => wire1.become('cut'), () => wire1.become('open')],
    ['a node hears nothing', async () => wire2.become('deaf'), () => wire2.become('open')],
    ['a node cannot be heard', async () => wire1.become('mute'), () => wire1.become('open')],
    ['a daemon is killed', () => gpu1.crash(), () => gpu1.start()],
    ['the daemon that sends is killed', () => laptop.crash().then(() => laptop.start()), () => undefined],
  ];
  for (const [, begin, heal] of faults) {
    await send(1);
    await begin();
    await send(2);
    await heal();
    await send(1);
  }
  const leader = await cluster.leader();
  await send(1);
  await cluster.kill(leader);
  await send(2);
  await cluster.start(leader);
  await send(1);

  for (const { sent, transcript } of workers) {
    await eventually(
      async () => given(transcript),
      (ids) => ids.length >= sent.length,
    );
    expect(given(transcript)).toEqual(sent);
    for (const id of sent.slice(1))
      await eventually(
        () => traceOf(laptop, id),
        ({ message }) => message.state === 'answered',
      );
  }
}, 300_000);

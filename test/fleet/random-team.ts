// A manager on one machine and workers on two others, through whatever a seed chooses: what is asked of them, what breaks meanwhile, and
// for how long. The agents' own records judge: nothing lost, nothing twice, the order kept.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { eventually, type Node, startNode } from './fleet.ts';
import { type Machine, makeNetwork, type Network } from './network.ts';

const allow = ['look', 'send', 'spawn'];

/** Sure: it was answered. Perhaps: nobody knows, because who was asked died or could not be heard. */
type Certainty = 'sure' | 'perhaps' | 'no';

interface Worker {
  readonly node: Node;
  readonly id: string;
  readonly transcript: string;
  /** Of the messages to it, in their order. */
  readonly sent: { readonly number: number; readonly byBoss: boolean; readonly is: Certainty }[];
}

export interface Team {
  readonly nodes: readonly [Node, Node, Node];
  readonly machines: readonly Machine[];
  readonly cluster: Cluster;
  /** A text, from the person or from the manager. */
  message(): Promise<void>;
  wait(): Promise<void>;
  spawn(): Promise<void>;
  judge(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startTeam(pick: <T>(of: readonly T[]) => T): Promise<Team> {
  const network: Network = await makeNetwork();
  const servers = [await network.machine('n0'), await network.machine('n1'), await network.machine('n2')];
  const machines: Machine[] = [];
  for (const name of ['laptop', 'gpu1', 'gpu2']) machines.push(await network.machine(name));
  const cluster = await startCluster(servers);
  const nodes = (await Promise.all(
    machines.map(({ name, within }) =>
      startNode(name, cluster.servers, { replicas: 3, allow, ca: cluster.ca }, within),
    ),
  )) as unknown as [Node, Node, Node];
  const [laptop, gpu1, gpu2] = nodes;
  await eventually(
    () => laptop.sm('nodes'),
    ({ stdout }) => /gpu1 +here[\s\S]*gpu2 +here/.test(stdout),
  );
  const boss = await laptop.agent('boss');
  const workers = [await newWorker('worker1', gpu1), await newWorker('worker2', gpu2)];
  const waits: Certainty[] = [];
  const children: { name: string; node: Node; is: Certainty }[] = [];
  let number = 0;

  async function newWorker(name: string, node: Node): Promise<Worker> {
    const { body } = await laptop.call('POST', '/sessions/spawn', {
      ...{ on: node.name, provider: 'scripted', prompt: 'begin', name, working_dir: node.work },
      parent_session_id: boss.id,
    });
    const id = String(body.session_id);
    const view = await node.untilSession(id.replace(/@.*/, ''), (each) => each.transcript_path !== null);
    await eventually(
      () => laptop.sm('all'),
      ({ stdout }) => stdout.includes(name),
    );
    return { node, id, transcript: view.transcript_path as string, sent: [] };
  }

  /** Whoever is killed while it is asked may have done it. */
  const asked = async (path: string, body?: object): Promise<Certainty> => {
    try {
      const { status, body: answer } = await laptop.call('POST', path, body);
      if (status === 200) return 'sure';
      expect(String(answer.detail), path).toMatch(/cannot be asked|is shutting down/);
      return /away|not known/.test(String(answer.detail)) ? 'no' : 'perhaps';
    } catch {
      return 'perhaps';
    }
  };

  return {
    nodes,
    machines,
    cluster,
    async message() {
      const { id, sent } = pick(workers);
      const byBoss = pick([true, false]);
      number += 1;
      const mine = number;
      const text = `[[say done-${mine}.]] m-${mine}.`;
      const is = await asked(`/sessions/${encodeURIComponent(id)}/input`, {
        text,
        ...(byBoss && { sender_session_id: boss.id }),
      });
      sent.push({ number: mine, byBoss, is });
    },
    async wait() {
      const path = `/sessions/${encodeURIComponent(pick(workers).id)}/watch`;
      waits.push(await asked(`${path}?watcher_session_id=${boss.id}&timeout_seconds=600`));
    },
    async spawn() {
      const { node } = pick(workers);
      const name = `child${children.length}`;
      const is = await asked('/sessions/spawn', {
        ...{ on: node.name, provider: 'scripted', prompt: `[[say born-${name}.]]`, name },
        ...{ working_dir: node.work, parent_session_id: boss.id },
      });
      children.push({ name, node, is });
    },
    async judge() {
      for (const { transcript, sent } of workers) {
        const sure = sent.filter(({ is }) => is === 'sure').map((each) => each.number);
        await eventually(
          async () => numbersIn(transcript, /\bm-(\d+)\./g),
          (given) => sure.every((each) => given.includes(each)),
        );
        const given = numbersIn(transcript, /\bm-(\d+)\./g);
        const possible = sent.filter(({ is }) => is !== 'no').map((each) => each.number);
        expect(given, 'messages, in order and each once').toEqual(
          possible.filter((each) => given.includes(each)),
        );
      }
      const told = (await laptop.session(boss.id)).transcript_path as string;
      const asked = new Set(
        workers.flatMap(({ sent }) => sent.filter((each) => each.byBoss)).map((each) => each.number),
      );
      // Several that were given together are one turn, and its last words are those of the last.
      const dones = workers
        .flatMap(({ transcript }) => given(transcript).split('\n'))
        .map((prompt) => [...prompt.matchAll(/\bm-(\d+)\./g)].map((hit) => Number(hit[1])))
        .flatMap((numbers) => (numbers.some((each) => asked.has(each)) ? [numbers.at(-1) as number] : []));
      const finished = /stopped:\\ndone-(\d+)\./g;
      await eventually(
        async () => numbersIn(told, finished),
        (given) => dones.every((each) => given.includes(each)),
      );
      const heard = numbersIn(told, finished);
      expect(heard.sort(byNumber), 'notices, each once').toEqual(dones.sort(byNumber));
      const count = (is: Certainty) => waits.filter((each) => each === is).length;
      const idle = () => [...given(told).matchAll(/\[sm\] worker\d \(\w+@\w+\) is idle\./g)].length;
      await eventually(
        async () => idle(),
        (all) => all >= count('sure'),
      );
      expect(idle(), 'waits, each told once').toBeLessThanOrEqual(count('sure') + count('perhaps'));
      for (const child of children) await judgeChild(child);
    },
    async dispose() {
      for (const machine of machines) await machine.become('open');
      await Promise.all(nodes.map((node) => node.dispose()));
      await cluster.dispose();
      await network.dispose();
    },
  };

  async function judgeChild({ name, node, is }: (typeof children)[number]): Promise<void> {
    const { body } = await node.call<{ sessions: SessionView[] }>('GET', '/sessions?retired=true');
    const found = body.sessions.filter((each) => each.friendly_name === name);
    expect(found.length, `${name}, ${is}`).toBeLessThanOrEqual(is === 'no' ? 0 : 1);
    if (is === 'sure') expect(found.length, name).toBe(1);
    const [view] = found;
    if (!view) return;
    const { transcript_path: path } = await node.untilSession(
      view.id,
      (each) => each.transcript_path !== null,
    );
    await eventually(
      async () => given(path as string),
      (text) => text.includes(`born-${name}.`),
    );
    const { transcript_path: told } = await laptop.session(boss.id);
    const heard = () =>
      [...given(told as string).matchAll(new RegExp(`stopped:\\\\nborn-${name}\\.`, 'g'))].length;
    await eventually(
      async () => heard(),
      (count) => count > 0,
    );
    expect(heard(), `that ${name} has finished, once`).toBe(1);
  }
}

export type Fault = (seconds: number) => Promise<void>;

/** What may break, and how each is mended. */
export function faults({ machines, nodes, cluster }: Team): Record<string, Fault> {
  const [laptop, gpu1, gpu2] = nodes;
  const link = (at: number, state: 'cut' | 'deaf' | 'mute'): Fault => {
    const machine = machines[at] as Machine;
    return async (seconds) => {
      await machine.become(state);
      await delay(seconds * 1_000);
      await machine.become('open');
    };
  };
  const dead = (node: Node): Fault => {
    return async (seconds) => {
      await node.crash();
      await delay(seconds * 1_000);
      await node.start();
    };
  };
  const server = (which: () => Promise<number>): Fault => {
    return async (seconds) => {
      const it = await which();
      await cluster.kill(it);
      await delay(seconds * 1_000);
      await cluster.start(it);
    };
  };
  return {
    'the link of the manager is cut': link(0, 'cut'),
    'the link of a worker is cut': link(1, 'cut'),
    'the manager hears nothing': link(0, 'deaf'),
    'a worker hears nothing': link(2, 'deaf'),
    'the manager cannot be heard': link(0, 'mute'),
    'a worker cannot be heard': link(1, 'mute'),
    'the daemon of the manager is killed': async () => dead(laptop)(0),
    'the daemon of a worker is killed': dead(gpu1),
    'the daemon of the other worker is killed': dead(gpu2),
    'a server is killed': server(async () => 0),
    'the leader of the stream is killed': server(cluster.leader),
  };
}

/** All that an agent was given, as its transcript has it. */
function given(transcript: string): string {
  if (!existsSync(transcript)) return '';
  // The last line may be half written.
  const lines = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
  const prompts = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user');
  return prompts.map(({ message }) => JSON.stringify(message?.content ?? '')).join('\n');
}

const byNumber = (a: number, b: number): number => a - b;

const numbersIn = (transcript: string, pattern: RegExp): number[] =>
  [...given(transcript).matchAll(pattern)].map((hit) => Number(hit[1]));

// A daemon is killed at every step of a remote message, notice, wait and spawn, on either side: at the first time that it passes a point, the
// second, and so on, until what is done passes it no more. Then the agents' own records are read.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { eventually, type Nats, type Node, startNats, startNode, traceOf } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;
let boss: SessionView;
let worker: SessionView;
let number = 0;

beforeAll(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, { allow: ['look', 'send', 'spawn'] }),
  ]);
  [boss, worker] = await Promise.all([laptop.agent('boss'), gpu.agent('worker')]);
});

afterAll(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

const points = ['publish', 'take', 'ask', 'answer'].flatMap((place) => [
  `fleet:${place}:before`,
  `fleet:${place}:after`,
]);
/** Asked over HTTP: the command would start a daemon that does not run. */
const hears = async (node: Node, other: string): Promise<boolean> => {
  const answer = await node.call<Nodes>('GET', '/nodes').catch(() => null);
  const it = answer?.body.nodes.find(({ name }) => name === other);
  return it?.state === 'here' && it.sessions > 0;
};
type Nodes = { nodes: { name: string; state: string; sessions: number }[] };
const known = () =>
  eventually(
    async () => (await hears(laptop, 'gpu1')) && (await hears(gpu, 'laptop')),
    (both) => both,
  );

/** All that an agent was given, as its transcript has it. */
function given(transcript: string | null): string {
  if (!transcript || !existsSync(transcript)) return '';
  // The last line may be half written.
  const lines = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
  const prompts = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user');
  return prompts.map(({ message }) => JSON.stringify(message?.content ?? '')).join('\n');
}

const times = (view: SessionView, text: string): number => given(view.transcript_path).split(text).length - 1;
const once = async (node: Node, { id }: SessionView, text: string) => {
  const has = async () => times(await node.session(id), text);
  await eventually(has, (count) => count > 0);
  expect(await has(), text).toBe(1);
};
/** Null: whoever was asked died. */
const ask = (path: string, body?: object) => laptop.call('POST', path, body).catch(() => null);

interface Way {
  /** Does it, and says what must come of it; asks again where nobody knows, as a person would. */
  readonly act: (mine: number) => Promise<() => Promise<void>>;
}

const ways: Record<string, Way> = {
  message: {
    async act(mine) {
      const sent = await ask('/sessions/worker@gpu1/input', { text: `m-${mine}.` });
      return async () => {
        const id = sent?.body.message_id as string | undefined;
        // Who died before it was stored has promised nothing.
        if (id === undefined && times(await gpu.session(worker.id), `m-${mine}.`) === 0) return;
        await once(gpu, worker, `m-${mine}.`);
        if (id !== undefined)
          await eventually(
            () => traceOf(laptop, id),
            ({ message }) => message.state === 'answered',
          );
      };
    },
  },
  notice: {
    async act(mine) {
      const text = `[[say done-${mine}.]]`;
      const sent = await ask('/sessions/worker@gpu1/input', { text, sender_session_id: 'boss' });
      return async () => {
        if (!sent && times(await gpu.session(worker.id), text) === 0) return;
        await once(laptop, boss, `stopped:\\ndone-${mine}.`);
      };
    },
  },
  wait: {
    async act() {
      const path = `/sessions/worker@gpu1/watch?watcher_session_id=${boss.id}&timeout_seconds=600`;
      const idle = async () => times(await laptop.session(boss.id), `(${worker.id}@gpu1) is idle.`);
      const before = await idle();
      const answer = await ask(path);
      return async () => {
        const isSure = answer?.status === 200;
        if (isSure) await eventually(idle, (count) => count > before);
        expect((await idle()) - before).toBeLessThanOrEqual(1);
      };
    },
  },
  spawn: {
    async act(mine) {
      const name = `child${mine}`;
      const answer = await ask('/sessions/spawn', {
        ...{ on: 'gpu1', provider: 'scripted', prompt: `[[say born-${mine}.]]`, name },
        ...{ working_dir: gpu.work, parent_session_id: 'boss' },
      });
      return async () => {
        const { body } = await gpu.call<{ sessions: SessionView[] }>('GET', '/sessions');
        const children = body.sessions.filter((each) => each.friendly_name === name);
        // Who asked hears of it, unless he died; it is asked for again by itself when its node is back.
        if (answer) expect(answer.body, JSON.stringify(answer.body)).toHaveProperty('session_id');
        expect(children.length).toBe(answer ? 1 : Math.min(1, children.length));
        if (children.length > 0) await once(laptop, boss, `stopped:\\nborn-${mine}.`);
      };
    },
  },
};

/** Whether the node died on the way; it is started again, and what must come of it is looked for in any case. */
async function outlived(node: Node, act: () => Promise<() => Promise<void>>): Promise<boolean> {
  let [isDead, isOver] = [false, false];
  const again = node.death().then(async () => {
    isDead = !isOver;
    if (isDead) await node.start();
  });
  await known();
  const judge = await act();
  // It may die while it is looked for: then nobody answers for a moment.
  const first = judge().then(
    () => true,
    () => false,
  );
  const isFine = await Promise.race([first, again.then(() => false)]);
  // Who is told first, of a death or of an answer that fails by it, is chance.
  if (!isFine || isDead) {
    await known();
    await judge();
  }
  isOver = true;
  return isDead;
}

describe.each(Object.keys(ways))('a daemon is killed at every step of a remote %s', (name) => {
  test.each(['laptop', 'gpu1'])(
    'that of %s',
    async (victim) => {
      const { act } = ways[name] as Way;
      const node = victim === 'laptop' ? laptop : gpu;
      let deaths = 0;
      for (const point of points)
        for (let nth = 1; ; nth += 1) {
          await node.stop();
          await node.start({ SM_CRASH_AT: `${point}#${nth}` });
          number += 1;
          if (!(await outlived(node, () => act(number)))) break;
          deaths += 1;
        }
      // Not to die in what comes next.
      await node.stop();
      await node.start();
      expect(deaths).toBeGreaterThan(0);
    },
    900_000,
  );
});

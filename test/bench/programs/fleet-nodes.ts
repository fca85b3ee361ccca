// Some nodes of a simulated fleet in one process: the real module and the real store on a real NATS server, with engines that have
// only sessions that do nothing, and messages that are answered at once.
import { systemClock } from '../../../src/daemon/clock.ts';
import { startFleet } from '../../../src/fleet/fleet.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';

interface Order {
  readonly url: string;
  readonly names: readonly string[];
  /** The text of a view; `ID` and `NAME` stand for what differs. */
  readonly view: string;
  readonly sessions: number;
}

const order = JSON.parse(process.argv[2] as string) as Order;
const log = { info() {}, warn() {}, error: console.error } as never;
const eventView = (event: { number: number; at: number; body: object }) => ({
  number: event.number,
  at: new Date(event.at).toISOString(),
  ...event.body,
});
const idOf = (node: string, number: number) =>
  `${Number.parseInt(node.slice(1), 10).toString(16).padStart(3, '0')}${number.toString(16).padStart(5, '0')}`;

async function startNode(node: string) {
  const clock = systemClock();
  const store = openSqliteStore(':memory:');
  const ids = Array.from({ length: order.sessions }, (_, number) => idOf(node, number));
  const texts = new Map(ids.map((id) => [id, order.view.replaceAll('ID', id).replaceAll('NAME', `w-${id}`)]));
  const listeners = new Set<(session: object, events: object[]) => void>();
  let waiting: { to: string; input: { id: string }; done: (answer: object) => void }[] = [];

  async function tick(): Promise<void> {
    const group = waiting;
    waiting = [];
    const now = clock.now();
    const events = group.flatMap(({ to, input: { id } }) =>
      ['queued', 'typed', 'accepted', 'answered'].map((state) => ({
        ...{ sessionId: to, at: now },
        body: { type: 'message', message: id, state },
      })),
    );
    const messages = group.map(({ to, input }) => ({
      ...input,
      to,
      state: { is: 'answered' },
      createdAt: now,
    }));
    await store.commit({ ...{ sessions: [], owed: [], settled: [], facts: [] }, messages, events } as never);
    for (const { done } of group) done({ ok: true });
    for (const listener of listeners) listener({}, events);
  }

  const engine = {
    all: () => ids.map((id) => ({ session: { id } })),
    get: () => undefined,
    whenStored: async (look: () => unknown) => look(),
    onCommit(listener: never) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    submit: (to: string, input: { id: string }) =>
      new Promise((done) => {
        if (waiting.push({ to, input, done }) === 1) setImmediate(() => void tick());
      }),
  };
  const fleet = await startFleet({
    config: {
      ...{ node, servers: [order.url], user: null, password: null, seed: null, ca: null },
      ...{ labels: [], replicas: 1 },
    },
    version: '0.0.0',
    store,
    engine: engine as never,
    clock,
    log,
    texts: { of: ({ id }: { id: string }) => texts.get(id) } as never,
    eventView: eventView as never,
    receive: async (_, { to, kind: __, ...letter }) => ({
      stored: engine.submit(to, letter).then(() => null),
    }),
    parked: () => null,
    allows: () => true,
    isSeen: true,
    hub: null,
    answer: async () => new Response('{}'),
    crash() {},
  });
  return { node, fleet };
}

type Node = Awaited<ReturnType<typeof startNode>>;
const nodes: Node[] = await Promise.all(order.names.map(startNode));

/** Each node writes to sessions of the node after it; until all of its letters are answered. */
async function burst(count: number, all: number): Promise<void> {
  await Promise.all(
    nodes.map(async ({ node, fleet }) => {
      const other = `n${(Number(node.slice(1)) % all) + 1}`;
      let open = count;
      const over = new Promise<void>((resolve) => {
        fleet.onLetter(({ state }) => {
          if (state === 'answered' && --open === 0) resolve();
        });
      });
      for (let n = 0; n < count; n += 1)
        await fleet.send({
          ...{ id: `${node}x${Date.now().toString(36)}x${n}`, node: other, session: idOf(other, n % 100) },
          ...{ from: { kind: 'person' }, text: 'Run the slow suite, and tell me.', mode: 'sequential' },
          ...{
            notify: { turnEnd: false, accepted: false, afterSeconds: null },
            remind: null,
            expiresAt: null,
          },
        });
      await over;
    }),
  );
}

process.on('message', async (asked: { known?: number; burst?: number; all?: number }) => {
  if (asked.known !== undefined) {
    const all = asked.known;
    while (!nodes.every(({ fleet }) => fleet.isKnown() && fleet.known() >= all))
      await new Promise((resolve) => setTimeout(resolve, 20));
  } else await burst(asked.burst ?? 0, asked.all ?? 0);
  process.send?.({ done: true, memory: process.memoryUsage().rss / 1024 / 1024 });
});
process.send?.({ up: true });

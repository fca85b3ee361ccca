// The way of one node to the servers, which can be cut, also in one direction only. Where there is no root, it stands in for a network.
import { connect, createServer, type Server, type Socket } from 'node:net';

export type LinkState = 'open' | 'cut' | 'deaf' | 'mute';

/** The way of one node to the servers. `deaf`: nothing comes to the node. `mute`: nothing comes from it. */
export interface Wire {
  readonly servers: readonly string[];
  become(state: LinkState): void;
  dispose(): Promise<void>;
}

export async function layWire(ports: readonly number[]): Promise<Wire> {
  let state: LinkState = 'open';
  const pairs = new Set<{ node: Socket; server: Socket }>();
  const doors = await Promise.all(ports.map(openDoor));

  async function openDoor(port: number): Promise<{ door: Server; url: string }> {
    const door = createServer((node) => {
      if (state === 'cut') return node.destroy();
      const server = connect(port, '127.0.0.1');
      const pair = { node, server };
      pairs.add(pair);
      const end = () => {
        pairs.delete(pair);
        node.destroy();
        server.destroy();
      };
      for (const side of [node, server]) side.on('error', end).on('close', end);
      node.on('data', (data) => state !== 'mute' && server.write(data));
      server.on('data', (data) => state !== 'deaf' && node.write(data));
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    return { door, url: `nats://127.0.0.1:${(door.address() as { port: number }).port}` };
  }

  return {
    servers: doors.map(({ url }) => url),
    become(next) {
      const before = state;
      state = next;
      // What was swallowed meanwhile never comes: such a connection is of no use any more.
      if (next === 'cut' || before !== 'open') for (const { node } of [...pairs]) node.destroy();
    },
    async dispose() {
      for (const { node } of [...pairs]) node.destroy();
      await Promise.all(doors.map(({ door }) => new Promise((resolve) => door.close(resolve))));
    },
  };
}

// A real cluster of three NATS servers, and links to it that can be cut, also in one direction only.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { eventually, freePort } from './fleet.ts';

export interface Cluster {
  readonly ports: readonly number[];
  kill(server: number): Promise<void>;
  start(server: number): Promise<void>;
  /** Which of them leads the stream of mail. */
  leader(): Promise<number>;
  dispose(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'sm-cluster-'));
  const [ports, routes] = [await freePorts(3), await freePorts(3)];
  const children: (ChildProcess | null)[] = [null, null, null];

  async function start(server: number): Promise<void> {
    const args = [
      '-a',
      '127.0.0.1',
      '-p',
      String(ports[server]),
      '-n',
      `n${server}`,
      '-js',
      '-sd',
      join(folder, `n${server}`),
    ];
    const cluster = ['--cluster_name', 'sm', '--cluster', `nats://127.0.0.1:${routes[server]}`];
    const others = ['--routes', routes.map((port) => `nats://127.0.0.1:${port}`).join(',')];
    const child = spawn('nats-server', [...args, ...cluster, ...others], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children[server] = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += chunk;
        if (said.includes('Server is ready')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`nats-server ended: ${said}`)));
    });
  }

  async function kill(server: number): Promise<void> {
    const child = children[server];
    children[server] = null;
    if (!child || child.exitCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGKILL');
    await over;
  }

  await Promise.all([0, 1, 2].map(start));
  return {
    ports,
    start,
    kill,
    async leader() {
      const nats = await connectNats({ servers: ports.map((port) => `127.0.0.1:${port}`) });
      try {
        const manager = await jetstreamManager(nats);
        const { cluster } = await eventually(
          () => manager.streams.info('SM_MAIL'),
          (info) => info.cluster?.leader !== undefined,
        );
        return Number(cluster?.leader?.slice(1));
      } finally {
        await nats.close();
      }
    },
    async dispose() {
      await Promise.all([0, 1, 2].map(kill));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

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

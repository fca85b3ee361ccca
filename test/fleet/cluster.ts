// A real cluster of three NATS servers with JetStream. On machines of a network of its own it speaks TLS, as it must there.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort } from './fleet.ts';
import type { Machine } from './network.ts';

const run = promisify(execFile);

export interface Cluster {
  /** Where its servers are. */
  readonly servers: readonly string[];
  readonly ports: readonly number[];
  /** Who vouches for them; null: nobody needs to. */
  readonly ca: string | null;
  kill(server: number): Promise<void>;
  start(server: number): Promise<void>;
  /** Which of them leads the stream of mail. */
  leader(): Promise<number>;
  dispose(): Promise<void>;
}

interface Place {
  readonly address: string;
  readonly port: number;
  readonly route: number;
  /** Where it tells of itself, on its own loopback. */
  readonly monitor: number;
  readonly within: readonly string[];
}

/** On three machines; without them, on loopback. */
export async function startCluster(machines?: readonly Machine[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'sm-cluster-'));
  const places = machines ? machines.map(onMachine) : await onLoopback();
  const tls = machines ? await certify(folder, places) : null;
  const children: (ChildProcess | null)[] = [null, null, null];
  const at = (server: number) => places[server] as Place;

  function configuration(server: number): string {
    const { address, port, route, monitor } = at(server);
    return [
      `server_name: n${server}`,
      `listen: "${address}:${port}"`,
      `http: "127.0.0.1:${monitor}"`,
      `jetstream { store_dir: "${join(folder, `n${server}`)}" }`,
      ...(tls ? [`tls { cert_file: "${tls.cert}", key_file: "${tls.key}" }`] : []),
      `cluster { name: sm, listen: "${address}:${route}", routes: [`,
      ...places.map((each) => `  "nats://${each.address}:${each.route}"`),
      ']}',
    ].join('\n');
  }

  async function start(server: number): Promise<void> {
    const file = join(folder, `n${server}.conf`);
    writeFileSync(file, configuration(server));
    const [command = '', ...args] = [...at(server).within, 'nats-server', '-c', file];
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
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

  /** What one of those that run says of the stream. */
  async function leaderNow(): Promise<number | null> {
    const server = children.findIndex((child) => child !== null);
    const { within, monitor } = at(server);
    const ask = `fetch('http://127.0.0.1:${monitor}/jsz?streams=true').then((r) => r.text()).then(console.log)`;
    const [command = '', ...args] = [...within, process.execPath, '-e', ask];
    const { stdout } = await run(command, args);
    const [, name] = /"name": "SM_MAIL",[\s\S]*?"leader": "n(\d)"/.exec(stdout) ?? [];
    return name === undefined ? null : Number(name);
  }

  await Promise.all([0, 1, 2].map(start));
  return {
    servers: places.map(({ address, port }) => `${tls ? 'tls' : 'nats'}://${address}:${port}`),
    ports: places.map(({ port }) => port),
    ca: tls?.cert ?? null,
    start,
    kill,
    leader: async () => (await eventually(leaderNow, (leader) => leader !== null)) as number,
    async dispose() {
      await Promise.all([0, 1, 2].map(kill));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const onMachine = ({ address, within }: Machine): Place => ({
  address,
  port: 4222,
  route: 6222,
  monitor: 8222,
  within,
});

async function onLoopback(): Promise<Place[]> {
  const ports = new Set<number>();
  while (ports.size < 9) ports.add(await freePort());
  const all = [...ports];
  return [0, 3, 6].map((n) => {
    const [port = 0, route = 0, monitor = 0] = all.slice(n, n + 3);
    return { address: '127.0.0.1', port, route, monitor, within: [] };
  });
}

async function certify(folder: string, places: readonly Place[]): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = places.map(({ address }) => `IP:${address}`).join(',');
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const whose = ['-subj', '/CN=sm-fleet', '-addext', `subjectAltName=${names}`];
  await run('openssl', ['req', ...kind, ...whose, '-keyout', key, '-out', cert]);
  return { cert, key };
}

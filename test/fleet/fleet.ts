// A real NATS server and daemons that are its nodes, on private directories and ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';

export interface Nats {
  readonly url: string;
  /** Ends it like a power cut; what it had stored is there at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** `conf`: with this configuration, which names its port. */
export async function startNats(conf?: { file: string; url: string }): Promise<Nats> {
  const folder = mkdtempSync(join(tmpdir(), 'sm-nats-'));
  const port = await freePort();
  const args = conf ? ['-c', conf.file] : ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder];
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const server = spawn('nats-server', args, {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = server;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      server.stderr.on('data', (chunk) => {
        said += chunk;
        if (said.includes('Server is ready')) resolve();
      });
      server.once('error', reject);
      server.once('exit', () => reject(new Error(`nats-server ended: ${said}`)));
    });
  }

  async function kill(): Promise<void> {
    const server = child;
    child = null;
    if (!server || server.exitCode !== null) return;
    const over = once(server, 'exit');
    server.kill('SIGKILL');
    await over;
  }

  await start();
  return {
    url: conf?.url ?? `nats://127.0.0.1:${port}`,
    start,
    kill,
    async dispose() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Node extends TestDaemon {
  readonly name: string;
  /** Starts a scripted agent and waits until it is idle. */
  agent(name: string): Promise<SessionView>;
}

export async function startNode(
  name: string,
  servers: string | readonly string[],
  more: object = {},
  within: readonly string[] = [],
): Promise<Node> {
  const fleet = { node: name, servers: [servers].flat(), ...more };
  const daemon = await startTestDaemon({ config: { fleet }, within });
  return Object.assign(daemon, {
    name,
    async agent(called: string) {
      await daemon.call('POST', '/sessions', {
        working_dir: daemon.work,
        name: called,
        provider: 'scripted',
      });
      return daemon.untilSession(called, ({ phase }) => phase === 'idle');
    },
  });
}

/** Asks until the answer fits: the nodes tell each other on their own time. */
export async function eventually<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`it never came to this: ${JSON.stringify(answer, null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The whole life of a message, as a node tells it. */
export interface Trace {
  readonly message: { readonly state: string; readonly why: string | null };
  readonly events: readonly { readonly state?: string }[];
  readonly way?: { readonly left_at: string | null };
}
export const traceOf = async (node: TestDaemon, id: string): Promise<Trace> =>
  (await node.call<Trace>('GET', `/messages/${id}`)).body;

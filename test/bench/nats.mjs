// A real NATS server with JetStream, on any free port of loopback. Gone at the end of the figure.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { atTheEnd, endProcess, temporaryFolder } from './cleanup.mjs';

export const hasNats = () => spawnSync('nats-server', ['--version']).status === 0;

/** `monitor`: the address of its own figures. */
export async function startNats() {
  const folder = temporaryFolder();
  const [port, http] = [await freePort(), await freePort()];
  const args = ['-a', '127.0.0.1', '-p', String(port), '-m', String(http), '-js', '-sd', folder];
  const server = spawn('nats-server', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  atTheEnd(() => endProcess(server.pid));
  await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('Server is ready')) resolve();
    });
    server.once('exit', () => reject(new Error(`nats-server ended: ${said}`)));
  });
  return { pid: server.pid, url: `nats://127.0.0.1:${port}`, monitor: `http://127.0.0.1:${http}` };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

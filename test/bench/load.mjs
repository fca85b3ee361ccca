// The programs that put load on a server, or are the yardstick for one, each in a process of its own.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { atTheEnd, endChild, temporaryFolder } from './cleanup.mjs';
import { programs } from './paths.mjs';

export async function startEchoServer() {
  const folder = temporaryFolder();
  const socket = join(folder, 'echo.sock');
  const child = start('echo-server.mjs', [join(folder, 'bodies'), socket]);
  const { port } = await nextMessage(child);
  return { socket, port };
}

/** Starts to load; `finished` resolves with the latencies of each connection, `stop` makes it end. */
export function load(job) {
  const child = start('load-client.mjs', []);
  child.send(job);
  return { finished: nextMessage(child), stop: () => child.send('stop') };
}

function start(program, args) {
  const child = fork(join(programs, program), args);
  atTheEnd(() => endChild(child));
  return child;
}

function nextMessage(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} ended with ${code}`)));
  });
}

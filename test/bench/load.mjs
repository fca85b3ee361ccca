// The programs that put load on a server, or are the yardstick for one, each in a process of its own.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { atTheEnd, endProcess, temporaryFolder } from './cleanup.mjs';
import { programs } from './paths.mjs';

export async function startEchoServer() {
  const folder = temporaryFolder();
  const socket = join(folder, 'echo.sock');
  const child = start('echo-server.mjs', [join(folder, 'bodies'), socket]);
  const { port } = await nextMessage(child);
  return { pid: child.pid, socket, port };
}

/** `run` puts on the load and gives the latencies of each connection; `stop` ends it before its time. */
export function startLoadClient() {
  const child = start('load-client.mjs', []);
  return {
    run(load) {
      child.send(load);
      return nextMessage(child);
    },
    stop: () => child.send('stop'),
  };
}

function start(program, args) {
  const child = fork(join(programs, program), args);
  atTheEnd(() => endProcess(child.pid));
  return child;
}

function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`${child.spawnargs[1]} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}

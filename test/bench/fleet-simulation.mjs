// Many nodes of a fleet, in a few processes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { atTheEnd, endProcess } from './cleanup.mjs';
import { programs, root } from './paths.mjs';

const bundle = join(root, 'node_modules', '.cache', 'sm-bench', 'fleet-nodes.mjs');

export async function buildNodes() {
  await build({
    absWorkingDir: root,
    entryPoints: [join(programs, 'fleet-nodes.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** `groups`: names of nodes, those of one process together. */
export async function startNodes(url, groups, { view, sessions }) {
  const processes = groups.map((names) => {
    const child = fork(bundle, [JSON.stringify({ url, names, view, sessions })]);
    atTheEnd(() => endProcess(child.pid, 'SIGKILL'));
    return child;
  });
  const ask = (child, what) => {
    const answer = once(child, 'message');
    if (what) child.send(what);
    return answer.then(([said]) => said);
  };
  await Promise.all(processes.map((child) => ask(child, null)));
  return {
    /** Each says when it is done, and how large it is. */
    askAll: (what) => Promise.all(processes.map((child) => ask(child, what))),
    async kill() {
      await Promise.all(processes.map((child) => endProcess(child.pid, 'SIGKILL')));
    },
  };
}

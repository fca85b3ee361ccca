// What it costs to look at a pane and to type into one.
import { join } from 'node:path';
import { atTheEnd, endTmux, temporaryFolder } from '../cleanup.mjs';
import { hooks } from '../paths.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 100;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export async function measure() {
  const { createTmuxTerminal } = await importSource('src/terminal/tmux-terminal.ts');
  const folder = temporaryFolder();
  const socketPath = join(folder, 'tmux.sock');
  atTheEnd(() => endTmux(socketPath));
  const terminal = createTmuxTerminal({
    socketPath,
    privateDir: join(folder, 'terminal'),
    launcherPath: join(hooks, 'launch.sh'),
    log: quiet,
  });
  atTheEnd(() => terminal.close());
  const env = { PATH: process.env.PATH, TERM: 'tmux-256color' };
  await terminal.launch({ name: 'bench', argv: ['cat'], env, cwd: folder });

  const typing = { onlyIf: 'always', steps: [{ paste: 'a message of the usual kind' }, { key: 'Enter' }] };
  const { look, type } = await interleave(rounds, {
    look: () => timed(() => terminal.look('bench')),
    type: () => timed(() => terminal.type('bench', typing)),
  });
  return [figure('look', 'look at a pane', look), figure('type', 'type a text and Enter into a pane', type)];
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function figure(name, what, samples) {
  const detail = `p50 of ${samples.length}; p99 ${round(percentile(samples, 99))} ms`;
  return { name, what, value: median(samples), unit: 'ms', detail };
}

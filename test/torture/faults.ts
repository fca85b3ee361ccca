// What machines do to teams.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Dice } from '../fuzz/dice.ts';
import { childrenOf } from '../support/daemon.ts';
import type { Stage } from './stage.ts';

type Fault = (stage: Stage, d: Dice) => Promise<void>;

const faults: readonly (readonly [number, string, Fault])[] = [
  [12, 'daemon killed', async ({ daemon }) => void kill(daemon.pid, 'SIGKILL')],
  [8, 'daemon frozen', ({ daemon }, d) => freeze(daemon.pid, 200 + d.below(2_000))],
  [8, 'agent killed', async (stage, d) => void kill(await agentOf(stage, d.pick(stage.ids)), 'SIGKILL')],
  [
    8,
    'agent frozen',
    async (stage, d) => freeze(await agentOf(stage, d.pick(stage.ids)), 100 + d.below(1_500)),
  ],
  [2, 'pane killed', (stage, d) => tmux(stage, 'kill-session', '-t', `=sm-${d.pick(stage.ids)}`)],
  [1, 'tmux server killed', (stage) => tmux(stage, 'kill-server')],
  [6, 'database busy', busy],
  [6, 'transcript torn', tearTranscript],
  [6, 'spool torn', tearSpool],
];
const total = faults.reduce((sum, [weight]) => sum + weight, 0);

export async function harm(stage: Stage, d: Dice): Promise<void> {
  let at = d.below(total);
  for (const [weight, name, fault] of faults) {
    at -= weight;
    if (at >= 0) continue;
    stage.note(name);
    return fault(stage, d);
  }
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function freeze(pid: number, ms: number): Promise<void> {
  if (!kill(pid, 'SIGSTOP')) return;
  await new Promise((resolve) => setTimeout(resolve, ms));
  kill(pid, 'SIGCONT');
}

async function tmux(stage: Stage, ...args: string[]): Promise<void> {
  await stage.daemon.tmux(...args).catch(() => {});
}

async function agentOf(stage: Stage, id: string): Promise<number> {
  const pane = await stage.daemon
    .tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}')
    .catch(() => '');
  const launcher = Number(pane);
  return (launcher > 0 && childrenOf(launcher)[0]) || 0;
}

/** Somebody else writes for a while. */
async function busy({ daemon }: Stage, d: Dice): Promise<void> {
  const db = new DatabaseSync(join(daemon.home, 'sm.db'), { timeout: 1_000 });
  try {
    db.exec('BEGIN IMMEDIATE');
    await new Promise((resolve) => setTimeout(resolve, 50 + d.below(700)));
    db.exec('ROLLBACK');
  } catch {
    // It was busy itself.
  } finally {
    db.close();
  }
}

/** A line that was cut off, or bytes that are none: another program's, or those of a full disk. */
async function tearTranscript(stage: Stage, d: Dice): Promise<void> {
  const { transcript_path: path } = await stage.session(d.pick(stage.ids));
  if (path)
    appendFileSync(path, d.pick(['{"type":"user","mess\n', '\0\0\0\0\n', 'nonsense\n', '{}\n', '[]\n']));
}

/** A fact that was torn, one that is nobody's, or one that comes a second time. */
async function tearSpool({ daemon, ids }: Stage, d: Dice): Promise<void> {
  const folder = join(daemon.home, 'spool', d.pick(ids));
  mkdirSync(folder, { recursive: true });
  const name = `${Date.now()}000000-torture-${d.below(1e9)}.hook`;
  const [first] = readdirSync(folder).filter((each) => each.endsWith('.hook'));
  const text =
    first && d.once(2)
      ? readOr(join(folder, first))
      : d.pick(['{"hook_event_name":"St', '', '[]', '{"a":1}']);
  writeFileSync(join(folder, name), text);
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

// What machines do to teams.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Dice } from '../fuzz/dice.ts';
import { childrenOf } from '../support/daemon.ts';
import type { Stage } from './stage.ts';

/** What it really was, if that is another thing than was planned; false: there was nothing to harm. */
type Fault = (stage: Stage, d: Dice) => Promise<boolean>;

const times = (weight: number, fault: Fault) => ({ weight, do: fault });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const faults: Readonly<Record<string, { readonly weight: number; readonly do: Fault }>> = {
  'daemon killed': times(12, async ({ daemon }) => kill(daemon.pid, 'SIGKILL')),
  'daemon frozen': times(6, ({ daemon }, d) => freeze(daemon.pid, 200 + d.below(2_000))),
  'agent killed': times(8, async (stage, d) => kill(await agentOf(stage, d.pick(stage.team)), 'SIGKILL')),
  'agent frozen': times(6, async (stage, d) =>
    freeze(await agentOf(stage, d.pick(stage.team)), 100 + d.below(1_500)),
  ),
  'launcher killed': times(2, async (stage, d) => kill(await paneOf(stage, d.pick(stage.team)), 'SIGKILL')),
  'pane killed': times(2, (stage, d) => tmux(stage, 'kill-session', '-t', `=sm-${d.pick(stage.team)}`)),
  'hook killed': times(8, (stage) => hitHook(stage, async (pid) => kill(pid, 'SIGKILL'))),
  'hook frozen': times(5, (stage, d) => hitHook(stage, (pid) => freeze(pid, 100 + d.below(2_500)))),
  'tmux server killed': times(2, async (stage) => kill(await serverOf(stage), 'SIGKILL')),
  'tmux server frozen': times(3, async (stage, d) => freeze(await serverOf(stage), 100 + d.below(1_500))),
  'disk filled': times(5, fillDisk),
  'database busy': times(6, holdDatabase),
  'transcript torn': times(6, tearTranscript),
  'spool torn': times(6, tearSpool),
  'clock moved ahead': times(3, (stage, d) => moveClock(stage, 5 + d.below(7_200), d)),
  'clock moved back': times(3, (stage, d) => moveClock(stage, -5 - d.below(7_200), d)),
  'hooks late': times(3, (stage, d) => mood(stage, d, `late ${(0.1 + d.below(8) / 10).toFixed(1)}`)),
  'hooks doubled': times(3, (stage, d) => mood(stage, d, 'double 0')),
  'hooks reordered': times(3, (stage, d) => mood(stage, d, `astray ${(0.1 + d.below(6) / 10).toFixed(1)}`)),
  'hooks lost': times(3, (stage, d) => mood(stage, d, 'lost 0')),
};

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function freeze(pid: number, ms: number): Promise<boolean> {
  if (!kill(pid, 'SIGSTOP')) return false;
  await pause(ms);
  kill(pid, 'SIGCONT');
  return true;
}

const tmux = (stage: Stage, ...args: string[]): Promise<boolean> =>
  stage.daemon.tmux(...args).then(
    () => true,
    () => false,
  );

const asked = (stage: Stage, target: string[], what: string): Promise<number> =>
  stage.daemon.tmux('display-message', '-p', ...target, what).then(Number, () => 0);

const serverOf = (stage: Stage): Promise<number> => asked(stage, [], '#{pid}');
const paneOf = (stage: Stage, id: string): Promise<number> =>
  asked(stage, ['-t', `=sm-${id}:`], '#{pane_pid}');

/** The agent is the child of the launcher that a pane runs. */
async function agentOf(stage: Stage, id: string): Promise<number> {
  const launcher = await paneOf(stage, id);
  return (launcher > 0 && childrenOf(launcher)[0]) || 0;
}

/** Some program that an agent runs at a hook just now: it takes milliseconds, so that one has to be waited for. */
async function hitHook(stage: Stage, hit: (pid: number) => Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + 2_000; performance.now() < deadline; await pause(2)) {
    for (const id of stage.team) {
      const agent = agents.get(id) ?? 0;
      const found = childrenOf(agent).find((pid) => commandOf(pid).includes('/hooks/'));
      if (found) return hit(found);
      if (agent === 0 || commandOf(agent) === '') agents.set(id, await agentOf(stage, id));
    }
  }
  return false;
}
const agents = new Map<string, number>();

const commandOf = (pid: number): string => readOr(`/proc/${pid}/cmdline`);

/** All that is left of the state directory's disk is taken for a while. */
async function fillDisk({ daemon, hasDisk }: Stage, d: Dice): Promise<boolean> {
  if (!hasDisk) return false;
  const filler = join(daemon.home, 'filler');
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' });
  } catch {
    // It ends when nothing is left.
  }
  await pause(200 + d.below(2_500));
  rmSync(filler, { force: true });
  return true;
}

/** Somebody else writes for a while. */
async function holdDatabase({ daemon }: Stage, d: Dice): Promise<boolean> {
  const db = new DatabaseSync(join(daemon.home, 'sm.db'), { timeout: 1_000 });
  try {
    db.exec('BEGIN IMMEDIATE');
    await pause(50 + d.below(1_500));
    db.exec('ROLLBACK');
    return true;
  } catch {
    // It was busy itself.
    return false;
  } finally {
    db.close();
  }
}

/** Lines that are none: another program's, or those of a full disk. Lines in two pieces are a habit of some agents. */
async function tearTranscript(stage: Stage, d: Dice): Promise<boolean> {
  const { transcript_path: path } = await stage.session(d.pick(stage.team));
  if (!path) return false;
  appendFileSync(path, d.pick(['{"type":"user","mess\n', '\0\0\0\0\n', 'nonsense\n', '{}\n', '[]\n']));
  return true;
}

/** A fact that was torn, one that is nobody's, or one that comes a second time. */
async function tearSpool({ daemon, team }: Stage, d: Dice): Promise<boolean> {
  try {
    const folder = join(daemon.home, 'spool', d.pick(team));
    mkdirSync(folder, { recursive: true });
    const name = `${Date.now()}000000-torture-${d.below(1e9)}.hook`;
    const [first] = readdirSync(folder).filter((each) => each.endsWith('.hook'));
    const isSecond = d.once(2);
    const text = d.pick(['{"hook_event_name":"St', '', '[]', '{"a":1}']);
    writeFileSync(join(folder, name), first && isSecond ? readOr(join(folder, first)) : text);
    return true;
  } catch {
    // The disk is full.
    return false;
  }
}

async function moveClock({ machine }: Stage, seconds: number, d: Dice): Promise<boolean> {
  if (!machine.moveClock(seconds)) return false;
  await pause(1_500 + d.below(6_000));
  machine.moveClock(0);
  return true;
}

async function mood({ machine }: Stage, d: Dice, how: string): Promise<boolean> {
  machine.setMood(how);
  await pause(500 + d.below(4_000));
  machine.setMood(null);
  return true;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

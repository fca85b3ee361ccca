// A daemon that is killed and comes back, a team of agents on a machine that the torture has in its hands, and what was
// asked of them.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionView } from '../../src/protocol/session.ts';
import { dice } from '../fuzz/dice.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { type KeptDaemon, keepAlive } from '../support/kept-daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { startIdle } from '../support/talk.ts';
import type { Asked } from './history.ts';
import { type Machine, prepareMachine } from './machine.ts';

export interface Stage {
  readonly daemon: TestDaemon;
  readonly kept: KeptDaemon;
  readonly machine: Machine;
  readonly hasDisk: boolean;
  /** Those that are there from the beginning to the end. */
  readonly team: readonly string[];
  /** The team and those that came later, in the order in which they came. */
  readonly ids: readonly string[];
  /** In whose worktrees workers work. */
  readonly repository: string;
  readonly asked: Asked[];
  /** The environment of an agent with these habits. */
  launch(habits: string): Record<string, string>;
  /** Somebody came who was started in this environment. */
  join(id: string, env: Record<string, string>): void;
  restore(id: string): Promise<void>;
  /** Counts what happens, by name. */
  note(what: string): void;
  readonly tally: ReadonlyMap<string, number>;
  session(id: string): Promise<SessionView>;
  /** Presses keys in a pane, as a human does; a pane that is gone has none. */
  press(id: string, ...keys: string[]): Promise<void>;
  close(): Promise<void>;
}

/** What some agents do by themselves: hooks that are told twice or late, and lines that are written in two pieces. */
export const habits = [
  '',
  '',
  'torn-lines:5',
  'double-hook:Stop',
  'late-hook:PostToolUse:300',
  'late-hook:Stop:400',
  'double-hook:UserPromptSubmit,torn-lines:7',
];

const config = { context_monitor: { enabled: false }, questions: { parents_may_answer: true } };

export async function openStage(agents: number, seed: number): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'smt-'));
  const machine = prepareMachine(root);
  const { dist, env } = machine;
  let hasDisk = false;
  const daemon = await startTestDaemon({
    config,
    dist,
    env: { ...env },
    beforeStart: (home) => void (hasDisk = machine.mount(home)),
    beforeRemoval: (home) => hasDisk && machine.unmount(home),
  });
  const { root: repository } = makeRepository(join(daemon.work, 'repository'));
  // What the daemon shares with those that it starts is not theirs: every agent has its own.
  const { FAKETIME_SHARED: _, ...clock } = env;
  const HOME = join(dirname(daemon.work), 'home');
  const login = { PATH: process.env.PATH ?? '', HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const launch = (faults: string) => ({ ...clock, ...login, SCRIPTED_FAULTS: faults });
  const environments = new Map<string, Record<string, string>>();
  const d = dice(seed);
  const team: string[] = [];
  for (let i = 0; i < agents; i += 1) {
    const working_dir = join(daemon.work, `agent-${i}`);
    mkdirSync(working_dir, { recursive: true });
    const parent = i > 0 && !d.once(4) ? { parent_session_id: d.pick(team) } : {};
    const own = launch(d.pick(habits));
    const id = await startIdle(daemon, `agent-${i}`, { working_dir, env: own, ...parent });
    environments.set(id, own);
    team.push(id);
  }
  const kept = keepAlive(daemon, { isPatient: true });
  const tally = new Map<string, number>();
  const ids = [...team];
  return {
    daemon,
    kept,
    machine,
    hasDisk,
    team,
    ids,
    repository,
    asked: [],
    launch,
    join(id, own) {
      environments.set(id, own);
      if (!ids.includes(id)) ids.push(id);
    },
    async restore(id) {
      await kept.call('POST', `/sessions/${id}/restore`, { env: environments.get(id) });
    },
    tally,
    note: (what) => tally.set(what, (tally.get(what) ?? 0) + 1),
    session: async (id) => (await kept.call<SessionView>('GET', `/sessions/${id}`))?.body as SessionView,
    press: (id, ...keys) =>
      daemon.tmux('send-keys', '-t', `=sm-${id}:`, ...keys).then(
        () => {},
        () => {},
      ),
    async close() {
      await kept.letGo();
      await daemon.dispose();
      machine.close();
      if (existsSync(root)) rmSync(root, { recursive: true, force: true });
    },
  };
}
